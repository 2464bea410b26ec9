/** Session folders that exist but cannot be read: circular links, which stop every user, even root. */
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  archiveSession,
  listSessions,
  SessionManager,
  sessionFolder,
  sessionsRoot,
} from "@bough/session/session/index.js";
import { afterEach, describe, expect, test, vi } from "vitest";
import { assistant, user } from "../../../../../../test/support/messages.js";
import { tempFolder } from "../../../../../../test/support/temp-folder.js";
import { openSession } from "../../start/open-session.js";
import { runCommand } from "../import/run-command.test-support.js";

afterEach(() => {
  vi.unstubAllEnvs();
});

interface Place {
  readonly home: string;
  readonly cwd: string;
}

/** An empty home. */
function place(): Place {
  const home = tempFolder();
  const cwd = join(home, "project");
  mkdirSync(cwd);
  vi.stubEnv("HOME", home);
  vi.stubEnv("BOUGH_HOME", join(home, ".bough"));
  return { home, cwd };
}

function loopAt(path: string): void {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(path, path);
}

function session(cwd: string, id: string): string {
  // What was said within the last minute is not what was tried before.
  const made = SessionManager.create(cwd, undefined, { now: () => new Date("2026-11-01T12:00:00Z") });
  made.newSession({ id });
  made.appendMessage(user(`the walrus in ${id}`));
  made.appendMessage(assistant("I see it."));
  made.close();
  return made.getSessionFile() as string;
}

const FOLDER_COMMANDS = ["ls", "ls --json", "search walrus", "tree", "stats", "verify", "export", "tree some-name"];

describe("a folder of sessions that is a link to itself", () => {
  test.each(FOLDER_COMMANDS)("is an error for %s", async (line) => {
    const { cwd } = place();
    const folder = sessionFolder(cwd);
    loopAt(folder);
    const { code, stdout, stderr } = await runCommand({ cwd }, line.split(" "));
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(`Cannot read the sessions folder: ${folder} (a link that leads to itself)\n`);
  });

  test.each(FOLDER_COMMANDS)("given with --session-dir is an error for %s", async (line) => {
    const { cwd, home } = place();
    const folder = join(home, "loop");
    loopAt(folder);
    const { code, stdout, stderr } = await runCommand({ cwd }, [...line.split(" "), "--session-dir", folder]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain(`Cannot read the sessions folder: ${folder} (a link that leads to itself)\n`);
  });

  test.each(["ls --all", "ls --all-agents", "search --all walrus", "verify --all"])(
    "as the root of all is an error for %s",
    async (line) => {
      const { cwd } = place();
      loopAt(sessionsRoot());
      const { code, stdout, stderr } = await runCommand({ cwd }, line.split(" "));
      expect([code, stdout]).toEqual([1, ""]);
      expect(stderr).toContain(`Cannot read the sessions folder: ${sessionsRoot()} (a link that leads to itself)\n`);
    },
  );

  test("as the root of all sessions is reported when listing another agent, whose sessions are listed", async () => {
    const { cwd } = place();
    loopAt(sessionsRoot());
    const { code, stdout, stderr } = await runCommand({ cwd }, ["ls", "--agent", "codex", "--json"]);
    expect([code, JSON.parse(stdout)]).toEqual([1, { sessions: [] }]);
    expect(stderr).toContain(`Cannot read the sessions folder: ${sessionsRoot()} (a link that leads to itself)\n`);
  });

  test("among others: those are listed, and the exit code says that some are missing", async () => {
    const { cwd } = place();
    session(cwd, "good");
    const loop = join(sessionsRoot(), "--elsewhere--");
    loopAt(loop);
    writeFileSync(join(sessionsRoot(), "notes.txt"), "not a folder, and nothing to report");
    const { code, stdout, stderr } = await runCommand({ cwd }, ["ls", "--all", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ sessions: [{ id: "good" }] });
    expect([code, stderr]).toEqual([
      1,
      `bough: Cannot read the sessions folder: ${loop} (a link that leads to itself)\n`,
    ]);
    // The requested folder is intact.
    expect(await runCommand({ cwd }, ["ls", "--json"])).toMatchObject({ code: 0, stderr: "" });
  });

  test("among others: those are searched, and it is reported", async () => {
    const { cwd } = place();
    session(cwd, "good");
    const loop = join(sessionsRoot(), "--elsewhere--");
    loopAt(loop);
    const { code, stdout, stderr } = await runCommand({ cwd }, ["search", "--all", "walrus"]);
    expect([code, stdout]).toEqual([0, expect.stringContaining("«walrus» in good")]);
    expect(stderr).toContain(`bough: ${loop} could not be searched: ELOOP`);
    const tried = await runCommand({ cwd }, ["tried", "walrus", "--all"]);
    expect([tried.code, tried.stdout]).toEqual([
      0,
      expect.stringMatching(/good.*Note: 1 folder of sessions could not be read \(Cannot read the sessions folder: /s),
    ]);
  });

  test("among others: what is elsewhere is found, and what is not may be in there", async () => {
    const { cwd, home } = place();
    session(cwd, "good");
    const other = join(home, "other");
    mkdirSync(other);
    const loop = join(sessionsRoot(), "--elsewhere--");
    loopAt(loop);
    expect(await runCommand({ cwd: other }, ["tree", "good#@"])).toMatchObject({ code: 0, stderr: "" });
    const { code, stderr } = await runCommand({ cwd: other }, ["tree", "gone"]);
    expect([code, stderr]).toEqual([
      1,
      `bough: Session not found: gone\n  It may be in ${loop}, which cannot be read.\n`,
    ]);
  });

  test("in the archive is reported by the list, and the other sessions can be restored", async () => {
    const { cwd, home } = place();
    archiveSession(session(cwd, "good"), { now: () => new Date() });
    const loop = join(home, ".bough", "archive", "--elsewhere--");
    loopAt(loop);
    const { code, stdout, stderr } = await runCommand({ cwd }, ["ls", "--archived", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ sessions: [{ id: "good" }] });
    expect([code, stderr]).toEqual([1, expect.stringContaining(loop)]);
    expect(await runCommand({ cwd }, ["restore", "gone"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`Cannot read the sessions folder: ${loop}`),
    });
    expect(await runCommand({ cwd }, ["restore", "good"])).toMatchObject({ code: 0, stderr: "" });
  });
});

test("a file where the folder of sessions should be is an error, and a folder that is not there is an empty list", async () => {
  const { cwd, home } = place();
  expect(await runCommand({ cwd }, ["ls", "--json"])).toMatchObject({ code: 0, stderr: "" });
  expect(await runCommand({ cwd }, ["ls", "--json", "--all"])).toMatchObject({ code: 0, stderr: "" });
  mkdirSync(join(home, ".bough"));
  writeFileSync(sessionsRoot(), "");
  for (const args of [["ls", "--all"], ["ls"], ["search", "--all", "walrus"]]) {
    const { code, stderr } = await runCommand({ cwd }, args);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/Cannot read the sessions folder: .* \(not a folder\)\n/),
    ]);
  }
});

test("a folder of sessions that is a link to itself is an error for a start that continues the last session", async () => {
  const { cwd, home } = place();
  const folder = join(home, "loop");
  loopAt(folder);
  const failure = { code: "read-failed", message: expect.stringContaining("Cannot read the sessions folder") };
  await expect(openSession({ kind: "continue" }, { cwd, dir: folder })).rejects.toMatchObject(failure);
  loopAt(sessionFolder(cwd));
  await expect(openSession({ kind: "continue" }, { cwd })).rejects.toMatchObject(failure);
});

test("what was tried in sessions that could not be indexed is not said to be nothing", async () => {
  const { cwd, home } = place();
  session(cwd, "good");
  // The index is not writable.
  writeFileSync(join(home, ".bough", "cache"), "");
  const { code, stderr } = await runCommand({ cwd }, ["tried", "walrus"]);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(
      /^Nothing like this was tried in the sessions that can be read\..*\nNote: 1 session could not be indexed \(E[A-Z]+: /s,
    ),
  ]);
  const json = await runCommand({ cwd }, ["tried", "walrus", "--json"]);
  expect([json.code, json.stderr]).toEqual([1, expect.stringContaining("Note: 1 session could not be indexed (")]);
});

test.skipIf(process.getuid?.() === 0)(
  "an unreadable session is reported by the list, which shows the others",
  async () => {
    const { cwd } = place();
    session(cwd, "good");
    const file = session(cwd, "closed");
    chmodSync(file, 0o000);
    for (const args of [["ls"], ["ls", "--all"]]) {
      const { code, stdout, stderr } = await runCommand({ cwd }, [...args, "--json"]);
      expect(JSON.parse(stdout)).toMatchObject({ sessions: [{ id: "good" }] });
      expect([code, stderr]).toEqual([1, `bough: Cannot read the session: ${file}\n`]);
    }
    await expect(listSessions(sessionFolder(cwd))).resolves.toMatchObject([{ id: "good" }]);
  },
);
