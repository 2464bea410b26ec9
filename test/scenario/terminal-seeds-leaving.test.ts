import { expect, test } from "vitest";
import { command, type DemoSeat, leave, matchesKept, openTree, reading, sitDownAtDemo } from "./terminal-support.js";

const QUESTION = "Bring a summary?";

function summariesOf({ file }: DemoSeat): Promise<string[]> {
  return reading(file, (session) =>
    session.getBranch().flatMap((entry) => (entry.type === "branch_summary" ? [entry.summary] : [])),
  );
}

test("/pop summarises the prompt it goes before, too", async () => {
  const seat = await sitDownAtDemo();
  const { terminal } = seat;
  const before = await summariesOf(seat);
  await command(seat, "/pop", "Enter brings a summary");
  await matchesKept(seat, "b2-pop-80");
  terminal.press("enter");
  await terminal.shows(/◆ summary of #1/);
  await terminal.shows("Write that down in the README");
  terminal.press("ctrl+c");
  await leave(seat);
  const [summary = ""] = (await summariesOf(seat)).slice(before.length);
  const goal = /## Goal\n+([^#]*)/.exec(summary)?.[1] ?? "";
  expect(goal).toContain("Write that down in the README");
});

test("leaving asks however little is left, and instructions are written in an editor of several lines", async () => {
  const seat = await sitDownAtDemo({ rows: 30 });
  const { terminal } = seat;
  const before = await summariesOf(seat);
  await openTree(seat);
  // The result above the last answer: one entry is left.
  terminal.press("up");
  await terminal.shows(/Enter go there .* leaves 1 entry/);
  terminal.press("enter");
  await terminal.shows(QUESTION);
  await terminal.shows(/Leaving #1 .+: 1 entry/);
  await matchesKept(seat, "b4-one-entry-80");
  terminal.press("w").type("the file that was changed").press("ctrl+j").type("and why");
  await terminal.shows("and why");
  await matchesKept(seat, "b4-instructions-80", "screen");
  await terminal.escape(QUESTION);
  terminal.press("w").type("what was done").press("enter");
  await terminal.shows(/◆ summary of #1/);
  await leave(seat);
  expect((await summariesOf(seat)).length).toBe(before.length + 1);
});

test("a setting skips small branches", async () => {
  const seat = await sitDownAtDemo({ settings: { model: "offline/rules", branchSummaryMinTokens: 5000 } });
  const { terminal } = seat;
  await openTree(seat);
  terminal.press("up", "enter");
  await terminal.shows("Moved to");
  await leave(seat);
});
