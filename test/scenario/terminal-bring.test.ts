import { describe, expect, test } from "vitest";
import { makePlace } from "./cli-support.js";
import { SharedSeat } from "./terminal-shared.js";
import {
  closeSearchedTree,
  command,
  onlySession,
  openTree,
  promptsOf,
  reading,
  say,
  sitDown,
  withoutSummary,
} from "./terminal-support.js";

const shared = new SharedSeat();

describe("comparing and bringing", () => {
  test("/compare shows where two branches split; Space and p copy turns, after a plan", async () => {
    const seat = await shared.atDemo({ columns: 120, rows: 34 });
    const { terminal } = seat;
    await command(
      seat,
      "/compare #1 #4",
      /Compare {3}#1 What is in this folder\? {2}↔ {2}#4 pieces\n parted at "Try it with a file of 2 GB"/,
    );
    await terminal.shows(/❯● Read the file in pieces/);
    terminal.press("space");
    await terminal.shows(/❯✓ Read the file in pieces/);
    terminal.press("p");
    await terminal.shows(/Cherry-pick 1 turn from #4[\s\S]*Conversation only: files on disk are unchanged\./);
    terminal.press("enter");
    await terminal.shows(/Added \d+ entries to #1\./);
    await terminal.shows(/picked \d+ entr.* from #4 pieces/);
    await shared.leave(seat);
    await reading(seat.file, (session) => {
      expect(promptsOf(session).slice(-2)).toEqual([
        "Write that down in the README",
        "Read the file in pieces, with the hand-written lexer",
      ]);
    });
  });

  test("in the tree, Space picks rows, p shows what would come, and Space there leaves a turn out", async () => {
    const seat = await shared.atDemo({ rows: 40 });
    const { terminal } = seat;
    await openTree(seat);
    terminal.press("ctrl+u");
    await terminal.shows("user-only");
    terminal.press("/").type("SQLite").press("enter");
    await terminal.shows(/❯.*Would loading it/);
    terminal.press("space");
    await terminal.shows(/✓/);
    terminal.press("p");
    await terminal.shows(/Cherry-pick 1 turn from #5/);
    terminal.press("space");
    await terminal.shows(/Nothing is left|0 turns|- Would|~ Would/);
    terminal.press("space");
    await terminal.shows(/\+ Would loading/);
    terminal.press("enter");
    await terminal.shows(/Added \d+ entries to #1\./);
    await shared.leave(seat);
  });

  test("d compares the selected row with the current position", async () => {
    const seat = await shared.atDemo({ rows: 30 });
    const { terminal } = seat;
    await openTree(seat);
    terminal.press("/").type("Would loading").press("enter");
    await terminal.shows(/❯.*Would loading it/);
    terminal.press("d");
    await terminal.shows(/Compare {3}#1 What is .* {2}↔ {2}#5/);
    await terminal.escape((text) => !text.includes("Compare "));
    await closeSearchedTree(seat);
    await shared.leave(seat);
  });

  test.each([
    ["a summary", "summary", [] as string[]],
    ["the turns", "turns", ["tab"]],
  ])("/merge brings %s", async (_words, form, keys) => {
    const seat = await shared.atDemo({ rows: 30 });
    const { terminal } = seat;
    await command(seat, "/merge #4", /bring a summary of #4/i);
    terminal.press(...keys);
    if (form === "turns") await terminal.shows(/\+ Read the file in pieces/);
    terminal.press("enter");
    await terminal.shows(form === "turns" ? /Merged #4 .*turn by turn/ : /Merged #4 .*as a summary/);
    await shared.leave(seat);
    await reading(seat.file, (session) => {
      const prompts = promptsOf(session);
      expect(prompts.includes("Do all the tests pass with it?")).toBe(form === "turns");
      expect(prompts.includes("Write that down in the README")).toBe(true);
      const types = session.getBranch().map(({ type }) => type);
      if (form === "summary") expect(types.lastIndexOf("branch_summary")).toBeGreaterThan(types.lastIndexOf("message"));
    });
  });
});

describe("a new user", () => {
  test("lists and reads files, goes back, takes another way, sees both, compares them and brings one home", async () => {
    const seat = sitDown({ place: makePlace({ settings: null }), columns: 100, rows: 34 });
    const { terminal } = seat;
    await terminal.shows("No model is set up, so a rule-based stand-in answers.");
    await say(seat, "what is in this folder?", "notes.txt");
    await say(seat, "read notes.txt", "buy milk");
    await openTree(seat);
    terminal.press("up", "up");
    await terminal.shows("Enter edit & resend from here");
    terminal.press("enter");
    await withoutSummary(seat);
    await terminal.shows(/─\n› read notes\.txt\n/);
    terminal.press("ctrl+u");
    await say(seat, "read app.js", "console.log");
    await terminal.shows("This is a new branch (#2)");

    await openTree(seat);
    await terminal.shows(/▸ #1 {2}read notes\.txt/);
    terminal.press("up", "up", "up");
    await terminal.shows(/❯.*#1 {2}read notes\.txt/);
    terminal.press("d");
    await terminal.shows(/Compare {3}#2 read app\.js {2}↔ {2}#1 what is in this folder\?/);
    await terminal.shows('parted at "what is in this folder?"');
    terminal.press("M");
    await terminal.shows(/bring a summary of #1/i);
    terminal.press("enter");
    await terminal.shows(/Merged #1 .*as a summary/);
    await terminal.shows(/◆/);
    terminal.kill();
    await reading(onlySession(seat), (session) => {
      expect(session.getCounts().branches).toBe(2);
      expect(promptsOf(session)).toEqual(["what is in this folder?", "read app.js"]);
    });
  });
});
