/** Copying, naming and putting away sessions. */
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { SessionManager } from "@bough/session/session/index.js";
import { afterEach, describe, expect, test } from "vitest";
import { TerminalProgram } from "../support/terminal.js";
import { makeSubPlace, packedProgram, runSub, type SubPlace } from "./sub-support.js";

const terminals: TerminalProgram[] = [];

function asked({ cwd, env }: SubPlace, args: readonly string[]): TerminalProgram {
  const known = Object.entries(env).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const terminal = new TerminalProgram({
    command: process.execPath,
    args: [packedProgram(), ...args],
    cwd,
    env: Object.fromEntries(known),
  });
  terminals.push(terminal);
  return terminal;
}

function opened(file: string): SessionManager {
  return SessionManager.open(file, undefined, { readOnly: true });
}

afterEach(() => {
  for (const terminal of terminals.splice(0)) terminal.kill();
});

describe("bough clone and fork, in use", () => {
  test("clone --all copies every branch, and has the same position", async () => {
    const place = makeSubPlace();
    const before = readFileSync(place.demo);
    const { stdout } = await runSub(place, ["clone", "bough-demo", "--all", "--name", "copy", "--json"]);
    const { session, from } = JSON.parse(stdout) as { session: { path: string; name: string }; from: string };
    expect([session.name, from, dirname(session.path)]).toEqual(["copy", place.demo, place.sessions]);
    const [original, copy] = [opened(place.demo), opened(session.path)];
    expect(copy.getCounts().branches).toBe(original.getCounts().branches);
    expect(copy.getBranchIds()).toEqual(expect.arrayContaining(original.getBranchIds()));
    original.close();
    copy.close();
    expect(readFileSync(place.demo).equals(before)).toBe(true);
  });

  test("clone with an entry copies the path to it and nothing else", async () => {
    const place = makeSubPlace();
    const { stdout } = await runSub(place, ["clone", "bough-demo#tokenizer", "--json"]);
    const { session, entryId } = JSON.parse(stdout) as { session: { path: string }; entryId: string };
    const [original, copy] = [opened(place.demo), opened(session.path)];
    expect(copy.getCounts().branches).toBe(1);
    expect(copy.getBranchIds().slice(0, -1)).toEqual(original.getBranchIds(entryId));
    expect(copy.getLabel(entryId)).toBe("tokenizer");
    original.close();
    copy.close();
  });
});

test("bough fork copies the path before a prompt, and needs one", async () => {
  const place = makeSubPlace();
  const { stdout } = await runSub(place, ["fork", "bough-demo#8915761d1b76", "--json"]);
  const forked = JSON.parse(stdout) as { session: { path: string }; entryId: string; prompt: string };
  expect(forked.prompt).toBe("How are lines split at the moment?");
  const [original, copy] = [opened(place.demo), opened(forked.session.path)];
  expect(original.getEntry("8915761d1b76")?.parentId).toBe(forked.entryId);
  expect(copy.getBranchIds()).toEqual(original.getBranchIds(forked.entryId));
  original.close();
  copy.close();
  const [without, answer] = [await runSub(place, ["fork", "bough-demo"]), await runSub(place, ["fork", "#tokenizer"])];
  expect([without.code, without.stderr]).toEqual([2, expect.stringContaining("the prompt to fork from")]);
  expect([answer.code, answer.stdout]).toEqual([1, ""]);
});

describe("bough label and rename, in use", () => {
  test("a label can be set, shown, moved and removed", async () => {
    const place = makeSubPlace();
    const said = async (...args: string[]) => {
      const { code, stdout, stderr } = await runSub(place, ["label", ...args]);
      return [code, (stdout + stderr).trimEnd().replace(/\b[0-9a-f]{12}\b/g, "<id>")];
    };
    expect(await said("bough-demo#@", "ending")).toEqual([0, 'Labeled <id> "ending"']);
    expect(await said("bough-demo#@")).toEqual([0, "ending"]);
    expect(await said("bough-demo#tokenizer", "ending")).toEqual([
      1,
      'bough: "ending" already labels <id>\n  Choose another label, or pass --move to move it.',
    ]);
    expect(await said("bough-demo#tokenizer", "ending", "--move")).toEqual([0, 'Labeled <id> "ending"']);
    expect(await said("bough-demo#ending", "--remove")).toEqual([0, "Removed the label from <id>"]);
    expect((await said("bough-demo", "x"))[0]).toBe(2);
  });

  test("neither changes the position", async () => {
    const place = makeSubPlace();
    const before = opened(place.demo);
    const said = before.getLeafId();
    before.close();
    await runSub(place, ["label", "bough-demo##2", "other end"]);
    await runSub(place, ["rename", "bough-demo", "second name"]);
    const { stdout } = await runSub(place, ["tree", "second name", "--json"]);
    const { rows } = JSON.parse(stdout) as { rows: { kind: string; entryId: string }[] };
    const session = opened(place.demo);
    expect(session.getBranchIds()).toContain(said);
    session.close();
    expect(rows.some(({ kind }) => kind === "here")).toBe(true);
  });
});

describe("bough archive and restore, in use", () => {
  test("asks on a terminal; no leaves everything, yes moves it, restore brings back the same bytes", async () => {
    const place = makeSubPlace();
    const before = readFileSync(place.demo);
    const no = asked(place, ["archive", "bough-demo"]);
    await no.shows('Archive "parser session"? You can restore it later. [y/N]');
    no.type("n").press("enter");
    expect([await no.ends(), existsSync(place.demo)]).toEqual([1, true]);
    const yes = asked(place, ["archive", "bough-demo"]);
    await yes.shows("[y/N]");
    yes.type("y").press("enter");
    expect([await yes.ends(), existsSync(place.demo)]).toEqual([0, false]);
    expect((await runSub(place, ["restore", "parser session"])).code).toBe(0);
    expect(readFileSync(place.demo).equals(before)).toBe(true);
  });

  test("Ctrl+C at the question is exit code 130, and nothing moved", async () => {
    const place = makeSubPlace();
    const terminal = asked(place, ["archive", "bough-demo"]);
    await terminal.shows("[y/N]");
    terminal.press("ctrl+c");
    expect([await terminal.ends(), existsSync(place.demo)]).toEqual([130, true]);
  });

  test("without a terminal it needs --yes, and one wrong name moves nothing", async () => {
    const place = makeSubPlace();
    const unasked = await runSub(place, ["archive", "bough-demo"]);
    expect(unasked).toEqual({
      code: 2,
      stdout: "",
      stderr: "bough: Cannot ask for confirmation: not a terminal\n  Pass --yes to confirm.\n",
    });
    const { code } = await runSub(place, ["archive", "bough-demo", "nowhere", "--yes"]);
    expect([code, existsSync(place.demo)]).toEqual([1, true]);
  });

  test("a session that is open elsewhere is skipped", async () => {
    const place = makeSubPlace();
    const session = SessionManager.open(place.demo);
    session.announce("editor");
    const { code, stderr } = await runSub(place, ["archive", "bough-demo", "--yes"]);
    expect([code, existsSync(place.demo)]).toEqual([1, true]);
    expect(stderr).toMatch(
      /^bough: "parser session" is open in editor \(process \d+ on .+\)\. Close it there first\.\n$/,
    );
    session.close();
  });

  test("an unreadable archive is reported", async () => {
    const place = makeSubPlace();
    await runSub(place, ["archive", "first-steps", "--yes"]);
    for (const folder of [dirname(place.home), place.home, place.cwd]) chmodSync(folder, 0o755);
    chmodSync(`${place.home}/archive`, 0o000);
    for (const args of [
      ["ls", "--archived"],
      ["restore", "first-steps"],
    ]) {
      const { code, stderr } = await runSub(place, args, { user: "nobody" });
      expect(code).toBe(1);
      expect(stderr).toContain(`Cannot read the sessions folder: ${place.home}/archive`);
    }
  });
});
