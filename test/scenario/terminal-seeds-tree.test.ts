import type { SessionEntry } from "@bough/session/entry/index.js";
import { expect, test } from "vitest";
import { SharedSeat } from "./terminal-shared.js";
import {
  command,
  type DemoSeat,
  matchesKept,
  openTree,
  promptsOf,
  reading,
  say,
  withoutSummary,
} from "./terminal-support.js";

const shared = new SharedSeat();

const TREE = /^ Tree .*on #/m;

/** Quits with text in the editor. */
async function dropTextAndLeave(seat: DemoSeat, text: string): Promise<void> {
  seat.terminal.press("ctrl+c");
  await seat.terminal.hides(text);
  await shared.leave(seat);
}

test("the first prompt of an unfolded side branch has its own row, and Enter puts it into the editor", async () => {
  const seat = await shared.atDemo({ rows: 40 });
  const { terminal } = seat;
  await openTree(seat);
  terminal.press("/").type("Try a hand-written").press("enter");
  await terminal.shows(/❯.*▸ #2/);
  terminal.press("right", "right");
  await terminal.shows(/❯.*● {2}Try a hand-written/);
  await matchesKept(seat, "b1-unfolded-80");
  terminal.press("enter");
  await withoutSummary(seat);
  await terminal.shows('Moved just before "Try a hand-written');
  await terminal.shows(/^ *[>›]? ?Try a hand-written lexer instead/m);
  await dropTextAndLeave(seat, "Try a hand-written lexer instead");
  const prompts = await reading(seat.file, promptsOf);
  expect(prompts.at(-1)).toContain("Generate a tokenizer");
});

test("Ctrl+O shows everything and returns; Ctrl+U shows your messages only", async () => {
  const seat = await shared.atDemo({ rows: 40 });
  const { terminal } = seat;
  await openTree(seat);
  terminal.press("tab");
  await terminal.shows("Filter no-tools");
  terminal.press("ctrl+o");
  await terminal.shows("Filter all");
  await matchesKept(seat, "b3-all-80");
  terminal.press("ctrl+o");
  await terminal.shows("Filter no-tools");
  terminal.press("ctrl+u");
  await terminal.shows("Filter user-only");
  await matchesKept(seat, "b3-user-only-80");
  terminal.press("ctrl+u");
  await terminal.shows("Filter no-tools");
  await terminal.escape((text) => !TREE.test(text));
  await shared.leave(seat);
});

/** The last reply on the path that called a tool. */
async function lastCall({ file }: DemoSeat): Promise<SessionEntry> {
  const calls = await reading(file, (session) =>
    session.getBranch().filter((entry) => {
      if (entry.type !== "message" || entry.message.role !== "assistant") return false;
      return entry.message.content.some(({ type }) => type === "toolCall");
    }),
  );
  return calls.at(-1) as SessionEntry;
}

test("Enter inside a turn goes to exactly that entry, and the conversation goes on from there", async () => {
  const seat = await shared.atDemo({ rows: 40 });
  const { terminal } = seat;
  const call = await lastCall(seat);
  await openTree(seat);
  terminal.press("ctrl+o");
  await terminal.shows("Filter all");
  // Under the answer comes the result, above that the call.
  terminal.press("up", "up");
  await terminal.shows("marks unfinished tool calls as interrupted");
  await matchesKept(seat, "b5-inside-a-turn-80");
  terminal.press("enter");
  await withoutSummary(seat);
  await terminal.shows("Moved to");
  await say(seat, "list the files here", "found by rules");
  await shared.leave(seat);
  await reading(seat.file, (session) => {
    const path = session.getBranch().map(({ id }) => id);
    expect(path).toContain(call.id);
    const next = session.getBranch().find(({ parentId, type }) => parentId === call.id && type === "message");
    expect(next).toMatchObject({ message: { role: "user" } });
    // The model sees the open call as interrupted, and the file stays as it is.
    const roles = session.buildSessionContext().messages.map(({ role }) => role);
    expect(roles.filter((role) => role === "toolResult").length).toBeGreaterThan(0);
  });
});

test("/switch with an id goes to exactly that entry, with a number to the end of the branch", async () => {
  const seat = await shared.atDemo();
  const call = await lastCall(seat);
  await command(seat, `/switch ${call.id} --no-summary`, /on #1/i);
  await seat.terminal.shows(/keeps its \d+ entr/);
  await command(seat, "/switch #2 --no-summary", /on #2/i);
  await command(seat, "/switch - --no-summary", /on #1/i);
  await shared.leave(seat);
  expect(await reading(seat.file, (session) => session.getLeafId())).toBe(call.id);
});

test("the tree of /branch says what Enter does, and e, c and s move nothing", async () => {
  const seat = await shared.atDemo({ rows: 40 });
  const { terminal } = seat;
  const leaf = await reading(seat.file, (session) => session.getLeafId());
  await command(seat, "/branch", TREE);
  await matchesKept(seat, "b12-not-a-prompt-80");
  for (const key of ["e", "c", "s"]) {
    terminal.press(key);
    await terminal.shows("Choose a prompt to fork from here.");
    terminal.press("@");
    await terminal.hides("Choose a prompt to fork from here.");
  }
  terminal.press("ctrl+u").press("up");
  await terminal.shows("fork into a new session from just before this prompt");
  await matchesKept(seat, "b12-prompt-80");
  await terminal.escape((text) => !TREE.test(text));
  await shared.leave(seat);
  expect(await reading(seat.file, (session) => session.getLeafId())).toBe(leaf);
});
