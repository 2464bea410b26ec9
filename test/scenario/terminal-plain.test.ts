import { describe, expect, test } from "vitest";
import { bough, conversation, makePlace, sessionFiles, theOnly } from "./cli-support.js";
import { runHere } from "./run-here.js";
import { demoPlace, onlySession, promptsOf, reading, type Seat, sitDown } from "./terminal-support.js";

/** Nothing is drawn twice: no escape sequence, no carriage return within a line. */
function expectPlain(text: string): void {
  expect(text.replaceAll("\r\n", "\n")).toMatch(/^[^\x1b\r]*$/);
}

/** The last lines on the screen are these, and a question waits at their end. */
async function asks({ terminal }: Seat, lines: RegExp, question: RegExp = /\n>$/): Promise<void> {
  await terminal.shows((text) => lines.test(text) && question.test(text.trimEnd()));
}

const WHERE_TO = /\nNumber to go[^\n]*:$/;

describe("plain mode", () => {
  test("holds a whole conversation: tools, permission, tree, going back, summary, quitting", async () => {
    const { place, file } = demoPlace();
    const seat = sitDown({ place, args: ["--plain", "-r", file], rows: 200, columns: 120 });
    const { terminal } = seat;
    await terminal.shows("/tree shows the tree, /quit quits.");
    terminal.type("read notes.txt").press("enter");
    await asks(seat, /buy milk/);
    terminal.type("run echo from-plain").press("enter");
    await terminal.shows(/Run this command\? \(bash\)\s+echo from-plain/);
    terminal.type("y").press("enter");
    await asks(seat, /from-plain[\s\S]*from-plain[\s\S]*from-plain/);
    terminal.type("/tree").press("enter");
    await terminal.shows("Tree of parser session. You are on branch 1, What is in this folder? 5 branches.");
    await terminal.shows(/side branch 2 starts here|side branch 4 starts here/);
    await asks(seat, /side branch/, WHERE_TO);
    terminal.type("what?").press("enter");
    await terminal.shows(/q to quit: what\?\s+Not understood\.[^\n]*\nNumber to go[^\n]*:\s*$/);
    terminal.type("s SQLite").press("enter");
    await asks(seat, /s SQLite[\s\S]*SQLite/, WHERE_TO);
    terminal.type("b 4").press("enter");
    await asks(seat, /b 4[\s\S]*Do all the tests pass with it\?/, WHERE_TO);
    const row = /^ *(\d+) +prompt +Now sum by month/m.exec(terminal.text)?.[1] ?? "";
    expect(row).toMatch(/^\d+$/);
    terminal.type(row).press("enter");
    await terminal.shows(/Bring a summary\?|Moved just before "Now sum by month"/);
    if (/Bring a summary\?/.test(terminal.text)) terminal.type("n").press("enter");
    await terminal.shows(/Moved just before "Now sum by month"[\s\S]*Ready to send again: Now sum by month/);
    terminal.type("/quit").press("enter");
    expect(await terminal.ends()).toBe(0);
    expectPlain(terminal.raw);
    expect(await reading(file, (session) => promptsOf(session).includes("Now sum by month"))).toBe(false);
  });

  test.each([
    { args: ["--plain", "-c"], env: {} },
    { args: ["-c"], env: { TERM: "dumb" } },
  ])(
    "$args $env is in plain lines, and says where you were, and not that the session is new",
    async ({ args, env }) => {
      const place = makePlace({ env });
      await runHere(place, ["-p", "list the files here"]);
      const seat = sitDown({ place, args, env, rows: 50, columns: 200 });
      await seat.terminal.shows(
        /Bough \S+\. Unnamed session, branch 1, list the files here, 1 turn, last .*\. You are at ".*"\. Model offline/,
      );
      expect(seat.terminal.text).not.toContain("New session");
      seat.terminal.type("/quit").press("enter");
      expect(await seat.terminal.ends()).toBe(0);
      const fresh = sitDown({ place, args: args.filter((arg) => arg !== "-c"), env, rows: 50, columns: 200 });
      await fresh.terminal.shows(/Bough \S+\. New session\. Model offline/);
      await fresh.terminal.shows("/quit quits.");
      fresh.terminal.type("/quit").press("enter");
      expect(await fresh.terminal.ends()).toBe(0);
      expectPlain(fresh.terminal.raw);
    },
  );

  test("asks about a summary, and brings one", async () => {
    const place = makePlace();
    const seat = sitDown({ place, args: ["--plain"], rows: 200, columns: 120 });
    const { terminal } = seat;
    await terminal.shows("/quit quits.");
    terminal.type("read notes.txt").press("enter");
    await asks(seat, /buy milk/);
    terminal.type("!seq -f 'line %g is worth keeping' 1 150").press("enter");
    await asks(seat, /line 150 is worth keeping/);
    terminal.type("/tree").press("enter");
    await asks(seat, /Tree of/, WHERE_TO);
    terminal.type("1").press("enter");
    await terminal.shows(/Leaving branch 1, read notes.txt: [\s\S]*Bring a summary\?/);
    terminal.type("y").press("enter");
    await terminal.shows("with a summary of #1");
    terminal.type("/quit").press("enter");
    expect(await terminal.ends()).toBe(0);
    await reading(onlySession(seat), (session) => {
      expect(session.getBranch().map(({ type }) => type)).toContain("branch_summary");
    });
  });

  test("takes its lines from a pipe", async () => {
    const place = makePlace();
    const { code, stdout } = await bough(place, ["--plain"], "read notes.txt\n/branches\n/quit\n");
    expect(code).toBe(0);
    expect(stdout).toContain("buy milk");
    expectPlain(stdout);
    expect((await conversation(theOnly(sessionFiles(place))))[0]).toBe("user: read notes.txt");
  });
});
