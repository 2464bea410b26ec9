import { describe, expect, test } from "vitest";
import { SharedSeat } from "./terminal-shared.js";
import { command, onlySession, openTree, promptsOf, reading, say, withoutSummary } from "./terminal-support.js";

const shared = new SharedSeat();

describe("going back", () => {
  test("a prompt comes back into the editor, and sent again it is a sibling of the old one", async () => {
    const seat = await shared.atNew();
    const { terminal } = seat;
    await say(seat, "list the files here", "notes.txt");
    await say(seat, "read notes.txt", "buy milk");
    await openTree(seat);
    terminal.press("up", "up");
    await terminal.shows("Enter edit & resend from here");
    terminal.press("enter");
    await withoutSummary(seat);
    await terminal.shows(/Moved just before "read notes.txt"/);
    await terminal.shows(/─\n› read notes\.txt\n/);
    terminal.press("ctrl+u");
    await say(seat, "read app.js", "console.log");
    await terminal.shows("This is a new branch (#2)");
    await terminal.shows(/#2 read app\.js/);
    await shared.leave(seat);
    await reading(onlySession(seat), (session) => {
      expect(session.getCounts().branches).toBe(2);
      expect(promptsOf(session)).toEqual(["list the files here", "read app.js"]);
      const asked = session.getEntries().filter((entry) => entry.type === "message" && entry.message.role === "user");
      expect(asked).toHaveLength(3);
      expect(asked[1]?.parentId).toBe(asked[2]?.parentId);
    });
  });

  test("/switch goes to a branch by number or name, /switch - back, and /undo takes a move back", async () => {
    const seat = await shared.atDemo();
    await command(seat, "/switch #4", "Bring a summary");
    await withoutSummary(seat);
    await seat.terminal.shows("Now on #4 pieces.");
    await command(seat, "/switch - --no-summary", "Now on #1 What is in this folder?");
    await command(seat, "/undo", "Back on #4 pieces.");
    await command(seat, "/switch peices", /No branch matches "peices"\.\n +Closest: pieces \(#4\)\./);
    await command(seat, "/switch #5 --no-summary", "Now on #5 Would loading");
    await shared.leave(seat);
    await reading(seat.file, (session) => {
      expect(promptsOf(session).at(-1)).toBe("Would loading it into SQLite be simpler?");
    });
  });

  test("/pop leaves the last turn with a summary of it, and its prompt can be sent again", async () => {
    const seat = await shared.atDemo();
    const { terminal } = seat;
    await command(seat, "/switch #4 --no-summary", "Now on #4 pieces.");
    await command(seat, "/pop", "Enter brings a summary of #4");
    terminal.press("enter");
    await terminal.shows(/◆ summary of #4[\s\S]*─\n› Do all the tests pass with it\?/);
    terminal.press("ctrl+c");
    await terminal.shows((text) => !text.includes("─\n› Do all the tests pass"));
    await shared.leave(seat);
    await reading(seat.file, (session) => {
      const types = session.getBranch().map(({ type }) => type);
      expect(types.lastIndexOf("branch_summary")).toBeGreaterThan(types.lastIndexOf("message"));
      expect(promptsOf(session).at(-1)).toBe("Read the file in pieces, with the hand-written lexer");
    });
  });

  test("/branches lists them, newest first, and Enter goes to the end of one", async () => {
    const seat = await shared.atDemo();
    const { terminal } = seat;
    await command(
      seat,
      "/branches",
      /Branches · 5[\s\S]*5 {3}Would loading[\s\S]*4 {3}pieces[\s\S]*❯@ 1 {3}What is in this folder/,
    );
    terminal.press("up").press("enter");
    await withoutSummary(seat);
    await terminal.shows("Now on #4 pieces.");
    await shared.leave(seat);
    await reading(seat.file, (session) => {
      expect(promptsOf(session).at(-1)).toBe("Do all the tests pass with it?");
    });
  });
});

describe("the tree", () => {
  test("z takes the last move back and Z makes it again, without leaving the tree", async () => {
    const seat = await shared.atDemo();
    const { terminal } = seat;
    await command(seat, "/switch #4 --no-summary", "Now on #4 pieces.");
    await openTree(seat);
    await terminal.shows(/on #4 pieces/);
    terminal.press("z");
    await terminal.shows(/5 branches · on #1/);
    terminal.press("Z");
    await terminal.shows(/5 branches · on #4 pieces/);
    await terminal.escape((text) => !text.includes("5 branches"));
    await shared.leave(seat);
  });

  test("of a straight session says how a side branch begins, and of an empty one that nothing is there", async () => {
    const seat = await shared.atNew({ rows: 30 });
    const { terminal } = seat;
    await command(seat, "/tree", /Nothing here yet\.\n +Send a prompt and it becomes the first entry\./);
    await say(seat, "list the files here", "notes.txt");
    await openTree(seat);
    await terminal.shows("No side branches yet. e on any prompt starts one.");
    await terminal.escape((text) => !text.includes("No side branches yet."));
    await shared.leave(seat);
  });
});

describe("labels", () => {
  test("m and Shift+L name a row in place; an empty name takes the label away", async () => {
    const seat = await shared.atDemo();
    const { terminal } = seat;
    await openTree(seat);
    terminal.press("up", "up");
    await terminal.shows(/❯ ● {2}Write that down/);
    terminal.press("m").type("keeper").press("enter");
    await terminal.shows('Labeled "keeper".');
    await terminal.shows(/❯.*\[keeper\]/);
    terminal.press("L");
    await terminal.shows((text) => !text.includes('Labeled "keeper".'));
    terminal.press("ctrl+u").press("enter");
    await terminal.shows('Label "keeper" removed.');
    terminal.press("L").type("last").press("enter");
    await terminal.shows('Labeled "last".');
    await terminal.escape((text) => !text.includes("Tree · parser session"));
    await shared.leave(seat);
    await reading(seat.file, (session) => {
      expect(session.getLabel(session.resolveEntry("last"))).toBe("last");
      expect(() => session.resolveEntry("keeper")).toThrow();
      // Labels do not move anyone.
      expect(promptsOf(session).at(-1)).toBe("Write that down in the README");
    });
  });
});

describe("searching", () => {
  test("/ in the tree opens folds on the way, n and N go on and back, Esc clears and then closes", async () => {
    const seat = await shared.atDemo({ rows: 40 });
    const { terminal } = seat;
    await openTree(seat);
    terminal.press("/").type("benchmark");
    await terminal.shows(/❯.*Benchmark both/);
    terminal.press("enter");
    await terminal.shows("match 1 of");
    terminal.press("n");
    await terminal.shows("No more matches.");
    await terminal.escape((text) => !text.includes("No more matches.") && text.includes("Tree · parser session"));
    terminal.press("/").type("lexer").press("enter");
    await terminal.shows("match 1 of");
    terminal.press("n");
    await terminal.shows("match 2 of");
    terminal.press("N");
    await terminal.shows("match 1 of");
    await terminal.escape((text) => !text.includes("match 1 of") && text.includes("Tree · parser session"));
    await terminal.escape((text) => !text.includes("Tree · parser session"));
    await openTree(seat);
    terminal.press("/").type("nowhere at all");
    await terminal.shows('No entry matches "nowhere at all". Esc clears the search.');
    await terminal.escape((text) => !text.includes("Esc clears the search."));
    await terminal.escape((text) => !text.includes("Tree · parser session"));
    await shared.leave(seat);
  });

  test("/search lands on the entry, on whichever branch it is", async () => {
    const seat = await shared.atDemo();
    const { terminal } = seat;
    await command(seat, "/search three times faster", /❯.*answer .*three times/);
    await terminal.shows("This session, on another branch");
    terminal.press("enter");
    await terminal.shows(/Tree · parser session[\s\S]*❯ │ {3}○ {2}\| tokenizer/);
    await terminal.escape((text) => !text.includes("Tree · parser session"));
    await shared.leave(seat);
  });
});
