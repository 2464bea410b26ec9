/** Files that follow the conversation, in a real terminal: edits, shell commands, conflicts, there and back. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { SharedSeat } from "./terminal-shared.js";
import {
  command,
  idle,
  matchesKept,
  onlySession,
  openTree,
  promptsOf,
  reading,
  type Seat,
  say,
  sitDown,
} from "./terminal-support.js";

const EDIT = 'replace "milk" with "bread" in notes.txt';
const BREAK = "$ echo broken > notes.txt; echo x > new.txt";
const EDITED = "buy bread\nwrite tests\n";
const QUESTION = /Files differ/;

function filesIn({ place }: Seat) {
  const at = (name: string) => join(place.cwd, name);
  const read = (name: string) => (existsSync(at(name)) ? readFileSync(at(name), "utf8") : undefined);
  return { notes: () => read("notes.txt"), added: () => read("new.txt"), at };
}

const SETTINGS = { model: "offline/rules", permissionMode: "auto", sandbox: "off", branchSummary: "never" };
const shared = new SharedSeat({ settings: SETTINGS });

/** An edit, and a command that breaks it. */
async function broken({ columns = 80 } = {}) {
  const seat = await shared.atNew({ columns });
  await say(seat, EDIT, "Edited notes.txt in 1 place");
  await say(seat, BREAK, /○ bash echo broken[\s\S]*no output/);
  const files = filesIn(seat);
  expect([files.notes(), files.added()]).toEqual(["broken\n", "x\n"]);
  return { seat, terminal: seat.terminal, ...files };
}

describe("going back in the conversation", () => {
  test("takes the files along, and forward again", async () => {
    const { seat, terminal, notes, added } = await broken();
    await command(seat, "/pop", QUESTION);
    await matchesKept(seat, "files-question-80");
    await terminal.yieldNow();
    terminal.press("d");
    await terminal.shows(/-broken[\s\S]*\+buy bread/);
    await matchesKept(seat, "files-diff-80");
    await terminal.escape(QUESTION);
    terminal.press("enter");
    await terminal.shows("Restored 1 file, deleted 1.");
    expect([notes(), added()]).toEqual([EDITED, undefined]);
    terminal.press("ctrl+u");
    await command(seat, "/undo", QUESTION);
    terminal.press("enter");
    await terminal.shows("Restored 2 files.");
    expect([notes(), added()]).toEqual(["broken\n", "x\n"]);
    await command(seat, "/redo", QUESTION);
    terminal.press("enter");
    await terminal.shows("Restored 1 file, deleted 1.");
    expect([notes(), added()]).toEqual([EDITED, undefined]);
    await shared.leave(seat);
    expect(await reading(onlySession(seat), promptsOf)).toEqual([EDIT]);
  });

  test("from the tree; the files stay if that is wanted, and that is said until they are restored", async () => {
    const { seat, terminal, notes, added } = await broken();
    await openTree(seat);
    terminal.press("up");
    await terminal.shows(/❯ ·.*±2/);
    terminal.press("v", "v", "v");
    await terminal.shows("No preview.");
    terminal.press("v", "up", "enter");
    await terminal.shows(QUESTION);
    terminal.press("c");
    await terminal.shows("Files unchanged: 2 files on disk differ from this position.");
    await terminal.shows(/±2 on disk.*#1/);
    expect([notes(), added()]).toEqual(["broken\n", "x\n"]);
    terminal.press("ctrl+u");
    await openTree(seat);
    await terminal.shows("2 files on disk differ");
    await terminal.shows(/edit notes.txt \+1 -1 +±1/);
    await terminal.escape((text) => !/^ Tree .*on #/m.test(text));
    await command(seat, "/restore", "The conversation stays here.");
    await matchesKept(seat, "files-restore-80");
    terminal.press("enter");
    await terminal.shows("Restored 1 file, deleted 1.");
    await terminal.hides("on disk");
    expect([notes(), added()]).toEqual([EDITED, undefined]);
    await shared.leave(seat);
  });

  test("Esc changes nothing", async () => {
    const { seat, terminal, notes, added } = await broken();
    await command(seat, "/pop", QUESTION);
    await terminal.escape("Nothing changed.");
    expect([notes(), added()]).toEqual(["broken\n", "x\n"]);
    await shared.leave(seat);
    expect(await reading(onlySession(seat), promptsOf)).toEqual([EDIT, BREAK]);
  });
});

describe("a file that was changed outside", () => {
  async function conflict() {
    const at = await broken();
    writeFileSync(at.at("notes.txt"), "mine\n");
    await command(at.seat, "/pop", QUESTION);
    at.terminal.press("enter");
    await at.terminal.shows("1 file was changed outside of this session.");
    return at;
  }

  test("is kept", async () => {
    const { seat, terminal, notes, added } = await conflict();
    await matchesKept(seat, "files-conflict-80");
    terminal.press("k");
    await terminal.shows("1 file kept as you changed it.");
    await matchesKept(seat, "files-kept-80", "screen");
    expect([notes(), added()]).toEqual(["mine\n", undefined]);
    terminal.press("ctrl+u");
    await terminal.hides("$ echo broken > notes.txt; echo x > new.txt\n");
    await shared.leave(seat);
  });

  test("is taken, and comes back with the way back", async () => {
    const { seat, terminal, notes, added } = await conflict();
    terminal.press("t");
    await terminal.shows("Restored 1 file, deleted 1.");
    await matchesKept(seat, "files-taken-80", "screen");
    expect([notes(), added()]).toEqual([EDITED, undefined]);
    terminal.press("ctrl+u");
    await command(seat, "/undo", QUESTION);
    terminal.press("enter");
    await terminal.shows("Restored 2 files.");
    expect([notes(), added()]).toEqual(["mine\n", "x\n"]);
    await shared.leave(seat);
  });

  test("stops it", async () => {
    const { seat, terminal, notes, added } = await conflict();
    await terminal.escape("Nothing changed.");
    await matchesKept(seat, "files-stopped-80", "screen");
    expect([notes(), added()]).toEqual(["mine\n", "x\n"]);
    await shared.leave(seat);
  });
});

describe("right after an edit", () => {
  test("/undo offers the edit, and a command of your own after it; /diff shows it", async () => {
    const { seat, terminal, notes, added } = await broken({ columns: 120 });
    await command(seat, "/diff", /What the last run changed[\s\S]*\+broken/);
    await matchesKept(seat, "diff-120");
    await terminal.escape((text) => !text.includes("What the last run changed"));
    await openTree(seat);
    terminal.press("up");
    await terminal.shows(/│ diff --git a\/new\.txt b\/new\.txt/);
    await terminal.escape((text) => !/^ Tree .*on #/m.test(text));
    await command(seat, "/undo", "The last run changed files");
    await matchesKept(seat, "undo-edit-120");
    terminal.press("f");
    await terminal.shows("The conversation stays here.");
    expect([notes(), added()]).toEqual([EDITED, undefined]);
    await idle(seat);
    await say(seat, "!echo mine > notes.txt", "!  echo mine > notes.txt");
    await command(seat, "/undo", "Your command changed files");
    await matchesKept(seat, "undo-command-120");
    terminal.press("enter");
    await terminal.shows(/Undone: "echo mine > notes.txt"\. Restored 1 file\.\n +\/redo brings it back\./);
    expect([notes(), added()]).toEqual([EDITED, undefined]);
    await idle(seat);
    await shared.leave(seat);
    expect(await reading(onlySession(seat), promptsOf)).toEqual([EDIT, BREAK]);
  });

  test("in forty columns", async () => {
    const seat = await shared.atNew({ columns: 40 });
    const { terminal } = seat;
    await say(seat, "$ echo tea > notes.txt", /○ bash echo tea/);
    await say(seat, "$ echo oops > notes.txt", /○ bash echo oops/);
    await command(seat, "/undo", "The last run changed");
    await matchesKept(seat, "undo-edit-40");
    terminal.press("d");
    await terminal.shows("+tea");
    await matchesKept(seat, "files-diff-40");
    await terminal.escape("The last run changed");
    terminal.press("enter");
    await terminal.shows("Restored 1 file");
    expect(filesIn(seat).notes()).toBe("tea\n");
    // The prompt is back in the editor.
    terminal.press("ctrl+c");
    await terminal.shows((text) => !/─\n› \$ echo oops/.test(text));
    await shared.leave(seat);
  });
});

test("plain mode asks by numbers", async () => {
  const seat = sitDown({ settings: SETTINGS, args: ["--plain"] });
  const { terminal } = seat;
  const { notes, added } = filesIn(seat);
  const line = async (text: string, until: string | RegExp) => {
    terminal.type(text).press("enter");
    await terminal.shows(until);
  };
  await terminal.shows(/^>$/m);
  await line(EDIT, /Edited notes.txt in 1 place[\s\S]*^>$/m);
  await line(BREAK, /\(no output\)[\s\S]*^>$/m);
  await line("/pop", "Number, Enter for 1, q to cancel:");
  await terminal.shows(/1 {2}conversation and files[\s\S]*3 {2}files only/);
  await line("4", "+buy bread");
  await line("1", "Restored 1 file, deleted 1.");
  expect([notes(), added()]).toEqual([EDITED, undefined]);
});
