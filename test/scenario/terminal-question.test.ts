import { expect, test } from "vitest";
import { matchesKept, sitDown } from "./terminal-support.js";

const WINDOWS = [
  [120, 36],
  [80, 24],
  [40, 12],
] as const;

test("a question looks as kept in every window, outlives one of 20 by 5, and is answered with the arrows", async () => {
  const seat = sitDown({ columns: 120, rows: 36 });
  const { terminal } = seat;
  await terminal.shows("New session");
  terminal.type("run node app.js").press("enter");
  await terminal.shows("Run this command?");
  for (const [columns, rows] of WINDOWS) {
    terminal.resize(columns, rows);
    await matchesKept(seat, `question-${columns}`);
  }
  terminal.resize(20, 5);
  await matchesKept(seat, "question-20", "screen");
  terminal.resize(80, 24);
  await terminal.shows("2 Ctrl+S  yes, for this session: all shell commands");
  // "no" is the fourth answer; nothing was answered while the window changed.
  (await terminal.yieldNow()).press("down", "down", "down");
  await terminal.shows(/❯ 4 n +no$/m);
  terminal.press("enter");
  await terminal.shows(/bash +node app\.js +refused/);
  await terminal.shows("The user said no: node app.js");
  expect(terminal.text).not.toContain("Waiting for your answer");
});
