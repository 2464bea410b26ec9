import { SessionManager } from "@bough/session/session/index.js";
import { displayWidth } from "@bough/session/view/internal.js";
import { describe, expect, test } from "vitest";
import { sessionFiles, theOnly } from "./cli-support.js";
import { runHere } from "./run-here.js";
import { SharedSeat } from "./terminal-shared.js";
import {
  closeSearchedTree,
  command,
  demoPlace,
  expectGivenBack,
  leave,
  onlySession,
  openTree,
  promptsOf,
  reading,
  type Seat,
  say,
  sitDown,
  sitDownAtDemo,
  withoutSummary,
} from "./terminal-support.js";

const shared = new SharedSeat();

function fits({ terminal }: Seat, columns: number): boolean {
  return terminal.lines.every((line) => displayWidth(line) <= columns);
}

describe("the window", () => {
  test("may become narrow, tiny and wide again, in the conversation and in the tree", async () => {
    const seat = await shared.atDemo({ columns: 120, rows: 30 });
    const { terminal } = seat;
    for (const [columns, rows] of [
      [40, 20],
      [20, 10],
      [80, 24],
    ] as const) {
      terminal.resize(columns, rows);
      await terminal.shows(() => fits(seat, columns) && terminal.lines.some((line) => line.startsWith("──")));
      await terminal.shows(() => terminal.lines[rows - 1]?.includes("#1") === true);
    }
    terminal.resize(120, 30);
    await openTree(seat);
    terminal.press("/").type("dialect").press("enter");
    await terminal.shows(/dialect.*match 1 of/is);
    for (const [columns, rows] of [
      [40, 20],
      [20, 20],
      [80, 24],
      [120, 30],
    ] as const) {
      terminal.resize(columns, rows);
      await terminal.shows((text) => text.includes("❯") && fits(seat, columns));
    }
    await terminal.shows(/dialect.*match 1 of/is);
    // Of a few cells it says that it is too small.
    terminal.resize(16, 5);
    await terminal.shows(/Window too/);
    terminal.resize(80, 24);
    await terminal.shows(/^ Tree .*on #/m);
    await closeSearchedTree(seat);
    await shared.leave(seat);
  });

  test("Ctrl+Z gives the terminal back, and fg takes it again", async () => {
    const seat = await sitDownAtDemo({ underShell: true });
    const { terminal } = seat;
    terminal.type("half a thought");
    await terminal.shows("half a thought");
    terminal.press("ctrl+z");
    await terminal.shows("in the shell");
    expectGivenBack(seat);
    terminal.press("enter");
    await terminal.shows(/─\n› half a thought/);
    expect(terminal.isFullScreen).toBe(true);
    terminal.type(" and the rest");
    await terminal.shows("half a thought and the rest");
  });

  test.each(["SIGTERM", "SIGHUP"])("%s ends the program and gives the terminal back", async (signal) => {
    const seat = await sitDownAtDemo();
    process.kill(seat.terminal.pid, signal);
    await seat.terminal.ends();
    expectGivenBack(seat);
    expect(await reading(seat.file, promptsOf)).toContain("Write that down in the README");
  });
});

describe("a program that is killed", () => {
  test("after a move without a prompt, -c continues at the same position", async () => {
    const seat = sitDown();
    await seat.terminal.shows("New session");
    await say(seat, "list the files here", "notes.txt");
    await say(seat, "read notes.txt", "buy milk");
    await openTree(seat);
    seat.terminal.press("up", "up", "up");
    await seat.terminal.shows("Enter go there and continue");
    seat.terminal.press("enter");
    await withoutSummary(seat);
    await seat.terminal.shows("Moved to");
    seat.terminal.kill("SIGKILL");
    await seat.terminal.ends();
    const again = sitDown({ place: seat.place, args: ["-c"] });
    await again.terminal.shows("notes.txt");
    await again.terminal.shows(/1 turn|2 turns/);
    expect(again.terminal.text).not.toContain("buy milk");
    await leave(again);
    expect(await reading(onlySession(seat), promptsOf)).toEqual(["list the files here"]);
  });
});

describe("two processes at one session", () => {
  test("what another window adds appears, and no one is moved", async () => {
    const seat = await shared.atNew();
    const { terminal } = seat;
    await say(seat, "list the files here", "notes.txt");
    const file = onlySession(seat);
    await openTree(seat);
    const other = SessionManager.open(file);
    other.branch(other.getEntries().find((entry) => entry.type === "message")?.id as string);
    other.appendMessage({ role: "user", content: "from elsewhere", timestamp: Date.now() });
    other.close();
    await terminal.shows(/Another window added \d+ (?:turn|entr)/);
    terminal.press("r");
    await terminal.shows("from elsewhere");
    await terminal.shows(/on #1 list the/);
    await terminal.escape((text) => !/^ Tree .*on #/m.test(text));
    await shared.leave(seat);
  });

  test("the second, read-only window sees what the first one says, and can take a branch of its own", async () => {
    const first = await shared.atDemo();
    const second = sitDown({ place: first.place, args: ["-r", first.file] });
    await second.terminal.shows("open read-only");
    (await second.terminal.yieldNow()).press("r");
    await second.terminal.shows("and bring it home");
    await say(first, "list the files here", "app.js");
    await second.terminal.shows(/● list the files here[\s\S]*app\.js/);
    second.terminal.press("alt+r");
    await second.terminal.shows("Now writable.");
    await say(second, "read notes.txt", "buy milk");
    await leave(second);
    await say(first, "read app.js", "console.log");
    await shared.leave(first);
    expect(await reading(first.file, promptsOf)).toContain("read app.js");
    expect(await reading(first.file, promptsOf)).not.toContain("read notes.txt");
  });

  test("the second one may continue, stay read-only, or leave", async () => {
    const first = await shared.atDemo();
    const { place, file } = first;
    const open = (): Seat => sitDown({ place, args: ["-r", file] });

    const leaving = open();
    await leaving.terminal.shows(/This session is open in bough \(process \d+/);
    await leaving.terminal.yieldNow();
    leaving.terminal.press("esc");
    expect(await leaving.terminal.ends()).toBe(0);

    const looking = open();
    await looking.terminal.shows("open read-only");
    (await looking.terminal.yieldNow()).press("r");
    await looking.terminal.shows("and bring it home");
    looking.terminal.type("hello").press("enter");
    await looking.terminal.shows("Read-only.");
    looking.terminal.kill();

    const working = open();
    await working.terminal.shows("continue here");
    (await working.terminal.yieldNow()).press("enter");
    await working.terminal.shows("and bring it home");
    await say(working, "list the files here", "app.js");
    await leave(working);
    await command(first, "/branches", "Branches ·");
    await first.terminal.escape((text) => !text.includes("Branches ·"));
    await shared.leave(first);
    expect(await reading(file, (session) => session.getCounts().branches)).toBeGreaterThanOrEqual(5);
  });
});

// The last one of those that share a program: it ends.
test("Ctrl+C empties the editor, and twice quits", async () => {
  const seat = await shared.atDemo();
  const { terminal } = seat;
  terminal.type("not sent");
  await terminal.shows("not sent");
  terminal.press("ctrl+c");
  await terminal.shows((text) => !text.includes("not sent"));
  // Only one more: the system throws away what a terminal has not read yet when one is pressed after the program let go of it.
  terminal.press("ctrl+c");
  await terminal.ends();
  expectGivenBack(seat);
});

test("NO_COLOR leaves out every colour and keeps the selection in reverse video; LANG=C draws with ASCII alone", async () => {
  const seat = await sitDownAtDemo({ env: { NO_COLOR: "1", LANG: "C" } });
  await openTree(seat);
  await seat.terminal.shows(/> @/);
  expect(seat.terminal.raw).not.toMatch(/\x1b\[(?:\d+;)*(?:3[0-7]|4[0-7]|9[0-7]|[34]8;[25])[;m]/);
  expect(seat.terminal.raw).toContain("\x1b[7m");
  // Untrusted words may be anything; this session has only ASCII ones.
  expect(seat.terminal.text).toMatch(/^[\x20-\x7e\n]*$/);
  expect(fits(seat, 80)).toBe(true);
});

describe("bough demo", () => {
  test("opens a session to look around in, and leaves nothing behind", async () => {
    const seat = sitDown({ args: ["demo"], settings: null });
    const { terminal } = seat;
    await terminal.shows("and bring it home");
    await openTree(seat);
    await terminal.shows("5 branches");
    await terminal.escape((text) => !text.includes("5 branches"));
    await say(seat, "read notes.txt", "buy milk");
    await leave(seat);
    expect(sessionFiles(seat.place)).toEqual([]);
  });

  test("prints its tree without a terminal", async () => {
    const { place } = demoPlace({ settings: null });
    const { code, stdout } = await runHere(place, ["demo"]);
    expect(code).toBe(0);
    expect(stdout).toContain("5 branches");
    expect(stdout).toContain("bough --help");
    expect(stdout).not.toContain("\x1b");
    theOnly(sessionFiles(place));
  });
});
