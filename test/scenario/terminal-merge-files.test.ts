/** Merging with files in a real terminal, in windows of every size: the plan, the questions, conflicts, there and back. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { command, idle, leave, matchesKept, type Seat, say, sitDown } from "./terminal-support.js";

const SETTINGS = { model: "offline/rules", permissionMode: "auto", sandbox: "off", branchSummary: "never" };
const WINDOWS = [
  [120, 36],
  [80, 24],
  [40, 12],
] as const;

/** Keeps what is shown in every window. */
async function kept(seat: Seat, screen: string): Promise<void> {
  for (const [columns, rows] of WINDOWS) {
    seat.terminal.resize(columns, rows);
    await matchesKept(seat, `${screen}-${columns}`);
  }
  seat.terminal.resize(120, 36);
}

test("a merge shows its plan, asks about files and conflicts in every window, and is undone and redone", async () => {
  const seat = sitDown({ columns: 120, rows: 36, settings: SETTINGS });
  const { terminal } = seat;
  const read = (name: string) => readFileSync(join(seat.place.cwd, name), "latin1");
  await terminal.shows("New session");
  await say(seat, "read app.js", "console.log");
  await say(seat, "$ echo buy tea > notes.txt; printf 'a\\0b' > logo.bin; echo t > tea.txt", /○ bash echo buy tea/);
  await command(seat, "/undo", "The last run changed files");
  terminal.press("enter");
  await terminal.shows(/Restored 1 file, deleted 2\./);
  await idle(seat);
  // The prompt is back in the editor; a slash starts a command.
  await command(seat, "/redo", "Files differ on #1");
  terminal.press("esc");
  await terminal.hides("Files differ on #1");
  await say(seat, "$ echo buy ale > notes.txt; printf 'a\\0c' > logo.bin", /○ bash echo buy ale/);
  await terminal.shows("#2 ");

  await command(seat, "/merge", "Merge which branch?");
  await terminal.shows(/❯ {2}1 /);
  await kept(seat, "merge-which");
  terminal.press("enter");
  await terminal.shows("Enter asks whether to bring 3 changed files (2 conflicts) too.");
  await kept(seat, "merge-files-plan");
  terminal.press("tab", "enter");
  await terminal.shows("words and files");
  await kept(seat, "merge-files-question");
  terminal.press("enter");
  await terminal.shows("2 conflicts: changed here and on the other branch.");
  await kept(seat, "merge-files-conflicts");
  terminal.press("o");
  await terminal.shows(/1 conflict: .*[\s\S]*! logo\.bin/);
  terminal.press("t");
  await terminal.shows(/1 conflict: .*[\s\S]*! notes\.txt/);
  terminal.press("m");
  await terminal.shows("Resolve the conflicts marked in notes.txt.");
  await terminal.shows(/Merged #1 .* into #2 turn by turn\. Brought 3 files\./);
  const merged = [read("notes.txt"), read("logo.bin"), read("tea.txt")];
  expect(merged).toEqual(["<<<<<<< ours\nbuy ale\n=======\nbuy tea\n>>>>>>> theirs\n", "a\0b", "t\n"]);

  await command(seat, "/undo", "The last merge changed files.");
  terminal.press("enter");
  await terminal.shows("Undone: the last merge. Restored 2 files, deleted 1.");
  expect([read("notes.txt"), read("logo.bin")]).toEqual(["buy ale\n", "a\0c"]);
  await command(seat, "/redo", "Files differ");
  terminal.press("enter");
  await terminal.shows("Restored 3 files.");
  expect([read("notes.txt"), read("logo.bin"), read("tea.txt")]).toEqual(merged);
  await idle(seat);
  await leave(seat);
});

test("settings use all of a small window", async () => {
  const seat = sitDown({ columns: 120, rows: 36, settings: SETTINGS });
  await seat.terminal.shows("New session");
  await command(seat, "/settings", "Settings · ");
  // There may be more settings one day.
  const clean = (text: string) =>
    text
      .replace(/\S*settings\.json/, "settings.json")
      .replace(/(?<=Settings · )\d+/, "##")
      .replace(/(?<=1 of )\d+/, "##");
  for (const [columns, rows] of WINDOWS) {
    seat.terminal.resize(columns, rows);
    await matchesKept(seat, `settings-${columns}`, "panel", clean);
  }
});
