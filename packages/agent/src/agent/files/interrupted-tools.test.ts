/** Processes that are killed while a tool runs: what it did is recorded when the session is opened again. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type EntryId, FILES_TYPE } from "@bough/session/entry/index.js";
import { filesRecord } from "@bough/session/entry/internal.js";
import { isAlive } from "@bough/session/log/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { gitIn } from "@bough/workbench/checkpoint/files-place.test-support.js";
import { describe, expect, test, vi } from "vitest";
import { afterTest } from "../../../../../test/support/after-test.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { createTools, Jobs } from "../../tool/index.js";
import { type HarnessOptions, harness } from "../agent-harness.test-support.js";
import { scriptedModel } from "../scripted-model.test-support.js";

const CHILD = fileURLToPath(new URL("../../../../../test/support/killed-tool.mjs", import.meta.url));
const WAIT = { timeout: 60_000, interval: 20 };

function place({ git }: { readonly git: boolean }) {
  const root = join(tempFolder(), "project");
  mkdirSync(root);
  writeFileSync(join(root, "a.txt"), "one\n");
  if (git) {
    gitIn(root, "init", "--quiet");
    gitIn(root, "add", "-A");
    gitIn(root, "commit", "--quiet", "-m", "start");
  }
  writeFileSync(join(root, "mine.txt"), "not in git\n");
  const [home, sessions] = [tempFolder(), tempFolder()];
  const made = SessionManager.create(root, sessions);
  made.appendSessionInfo("a session");
  const file = made.getSessionFile() as string;
  made.close();
  const at = (path: string) => join(root, path);
  const read = (path: string) => (existsSync(at(path)) ? readFileSync(at(path), "utf8") : undefined);
  /** Is there once the command has done its work. */
  const flag = join(home, "flag");
  const start = (steps: unknown) => {
    const child = spawn(process.execPath, [CHILD, file, root, home, JSON.stringify(steps)], { stdio: "pipe" });
    let errors = "";
    child.stderr.on("data", (chunk) => (errors += chunk));
    afterTest(() => child.kill("SIGKILL"));
    const kill = async () => {
      child.kill("SIGKILL");
      await once(child, "exit");
      expect(errors).toBe("");
    };
    return { child, kill };
  };
  /** The command that the killed process was running, to be ended with the test. */
  const endLater = (pid: string) => afterTest(() => void tryKill(-Number(pid)));
  const open = (options: Partial<HarnessOptions> = {}) =>
    harness({
      model: scriptedModel([]),
      session: SessionManager.open(file),
      cwd: options.cwd ?? root,
      tools: createTools(),
      outputDir: home,
      ...options,
      files: { home, ...options.files },
    });
  return { root, home, file, flag, at, read, start, open, endLater };
}

function tryKill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}

function records(session: SessionManager) {
  return session.getBranch().flatMap((entry) => {
    if (entry.type !== "custom" || entry.customType !== FILES_TYPE) return [];
    const record = filesRecord(entry.data);
    const { by, callIds, during, changes = [] } = record ?? {};
    const named = changes.map(
      ({ path, before, after }) => `${before === null ? "+" : after === null ? "-" : "~"}${path}`,
    );
    return [[by, callIds ?? during ?? [], named]];
  });
}

function promptOf(session: SessionManager): EntryId {
  const found = session.getEntries().find((entry) => entry.type === "message" && entry.message.role === "user");
  if (found === undefined) throw new Error("there is no prompt");
  return found.id;
}

const bash = (command: string) => ({ name: "bash", arguments: { command } });

describe.each([
  ["with git", true],
  ["without git", false],
])("%s", (_, git) => {
  test("a file that a killed command deleted is recorded as its work, and comes back with undo", async () => {
    const { start, open, flag, read, at } = place({ git });
    const { kill } = start([[bash(`rm mine.txt; echo two > a.txt; echo new > new.txt; touch ${flag}; sleep 1000`)]]);
    await vi.waitFor(() => expect(existsSync(flag)).toBe(true), WAIT);
    await kill();
    const { agent, session, events } = open({ files: { onRunning: async () => "stop" } });
    await agent.start();
    expect(records(session)).toEqual([["tool", ["call-0-0"], ["~a.txt", "-mine.txt", "+new.txt"]]]);
    expect(events.filter(({ type }) => type === "notice")).toMatchObject([
      { message: "`bash` was running when Bough was stopped: 3 changed files recorded" },
    ]);
    const moved = await agent.navigateTree(promptOf(session), { files: "follow" });
    expect(moved).toMatchObject({ files: { kind: "followed", written: ["a.txt", "mine.txt"], deleted: ["new.txt"] } });
    expect([read("mine.txt"), read("a.txt"), existsSync(at("new.txt"))]).toEqual(["not in git\n", "one\n", false]);
    await agent.dispose();
  });

  test("what another session had written before is not taken for the work of a killed command's time", async () => {
    const { root, home, start, open, flag, read, at } = place({ git });
    const other = harness({
      model: scriptedModel([{ calls: [{ name: "write", arguments: { path: "a.txt", content: "other\n" } }] }, "done"]),
      session: SessionManager.create(root, tempFolder()),
      cwd: root,
      tools: createTools(),
      outputDir: home,
      files: { home },
    });
    await other.agent.prompt("write");
    writeFileSync(at("a.txt"), "mine\n");
    const { kill } = start([[bash(`echo two > a.txt; touch ${flag}; sleep 1000`)]]);
    await vi.waitFor(() => expect(existsSync(flag)).toBe(true), WAIT);
    await kill();
    const { agent, session } = open({ files: { onRunning: async () => "stop" } });
    await agent.start();
    expect(records(session)).toEqual([["tool", ["call-0-0"], ["~a.txt"]]]);
    await agent.navigateTree(promptOf(session), { files: "follow" });
    expect(read("a.txt")).toBe("mine\n");
    await agent.dispose();
    await other.agent.dispose();
  });

  test("it is recorded once, whatever is opened again, and nothing is left of it", async () => {
    const { start, open, flag, home } = place({ git });
    const { kill } = start([[bash(`echo two > a.txt; touch ${flag}; sleep 1000`)]]);
    await vi.waitFor(() => expect(existsSync(flag)).toBe(true), WAIT);
    await kill();
    for (let i = 0; i < 2; i++) {
      const { agent, session } = open({ files: { onRunning: async () => "stop" } });
      await agent.start();
      expect(records(session)).toEqual([["tool", ["call-0-0"], ["~a.txt"]]]);
      await agent.dispose();
    }
    const stores = readdirSync(join(home, "files")).filter((name) => /^[0-9a-f]{32}$/.test(name));
    expect(stores.map((name) => readdirSync(join(home, "files", name, "work")))).toEqual([[]]);
  });

  test("what changes after the command has ended is the person's", async () => {
    const { start, open, flag, at } = place({ git });
    const { kill } = start([[bash(`echo $$ > ${flag}; echo two > a.txt; exec sleep 1000`)]]);
    await vi.waitFor(() => expect(readFileSync(flag, "utf8")).toMatch(/\d\n/), WAIT);
    await kill();
    tryKill(-Number(readFileSync(flag, "utf8")));
    const ended = Date.now();
    await vi.waitFor(() => expect(Date.now() - ended).toBeGreaterThan(2500), WAIT);
    writeFileSync(at("later.txt"), "mine\n");
    const { agent, session } = open();
    await agent.start();
    expect(records(session)).toEqual([
      ["tool", ["call-0-0"], ["~a.txt"]],
      ["person", ["call-0-0"], ["+later.txt"]],
    ]);
    await agent.dispose();
  });

  test("what `write` had written is recorded, and a temporary file that it left is removed", async () => {
    const { start, open, root, flag } = place({ git });
    const write = { name: "write", arguments: { path: "made.txt", content: "made\n" } };
    const wait = bash(`until [ -e made.txt ]; do sleep 0.01; done; touch ${flag}; sleep 1000`);
    const { kill, child } = start([[write, wait]]);
    await vi.waitFor(() => expect(existsSync(flag)).toBe(true), WAIT);
    await kill();
    // As if it had been killed a moment earlier: beside the file it announced.
    writeFileSync(join(root, `.made.txt.${child.pid}-call-0-0-0.tmp`), "ma");
    writeFileSync(join(root, `.made.txt.${child.pid}-other-0.tmp`), "someone else's");
    const { agent, session } = open({ files: { onRunning: async () => "stop" } });
    await agent.start();
    expect(records(session)[0]).toEqual(["tool", ["call-0-0", "call-0-1"], expect.arrayContaining(["+made.txt"])]);
    await agent.dispose();
    expect(readdirSync(root).filter((name) => name.endsWith(".tmp"))).toEqual([`.made.txt.${child.pid}-other-0.tmp`]);
  });

  test("a folder that is renamed while a command runs: what it did is recorded when the session is opened there", async () => {
    const { start, open, flag, root } = place({ git });
    const { kill } = start([[bash(`rm mine.txt; touch ${flag}; sleep 1000`)]]);
    await vi.waitFor(() => expect(existsSync(flag)).toBe(true), WAIT);
    const other = `${root}-renamed`;
    renameSync(root, other);
    await kill();
    const { agent, session } = open({ cwd: other, files: { onRunning: async () => "stop" } });
    await agent.start();
    expect(records(session)).toEqual([["tool", ["call-0-0"], ["-mine.txt"]]]);
    await agent.dispose();
  });
});

test("a command that outlived its process is reported, and can be left running as a job or stopped", async () => {
  const { start, open, flag, endLater } = place({ git: false });
  const { kill } = start([[bash(`echo $$ > ${flag}; exec sleep 1000`)]]);
  await vi.waitFor(() => expect(readFileSync(flag, "utf8")).toMatch(/\d\n/), WAIT);
  const pid = readFileSync(flag, "utf8").trim();
  endLater(pid);
  await kill();

  const silent = open();
  await silent.agent.start();
  expect(silent.events.filter(({ type }) => type === "notice")).toMatchObject([
    { message: "`bash` was running when Bough was stopped: no files had changed" },
    { message: expect.stringMatching(/still running: echo \$\$/), hint: `Stop it with: kill -- -${pid}` },
  ]);
  expect(isAlive({ pid: Number(pid) })).toBe(true);
  await silent.agent.dispose();

  const jobs = new Jobs();
  const asked: unknown[] = [];
  const left = open({
    jobs,
    files: {
      onRunning: async (commands) => {
        asked.push(...commands.map(({ group }) => group));
        return "leave";
      },
    },
  });
  await left.agent.start();
  expect(asked).toEqual([Number(pid)]);
  expect(jobs.list).toMatchObject([{ id: 1, state: "running" }]);
  expect(left.events.filter(({ type }) => type === "notice").at(-1)).toMatchObject({
    hint: "Stop it with: /jobs stop 1",
  });
  await left.agent.dispose();

  const stopped = open({ files: { onRunning: async () => "stop" } });
  await stopped.agent.start();
  expect(isAlive({ pid: Number(pid) })).toBe(false);
  await stopped.agent.dispose();
});

test("a command is found although the process was killed before it could say which group it started", async () => {
  const { start, open, flag, endLater, home } = place({ git: false });
  const { kill } = start([[bash(`echo $$ > ${flag}; exec sleep 1000`)]]);
  await vi.waitFor(() => expect(readFileSync(flag, "utf8")).toMatch(/\d\n/), WAIT);
  const pid = readFileSync(flag, "utf8").trim();
  endLater(pid);
  await kill();
  const journals = readdirSync(join(home, "files")).flatMap((name) => {
    const work = join(home, "files", name, "work");
    return existsSync(work) ? readdirSync(work).map((folder) => join(work, folder, "journal.jsonl")) : [];
  });
  for (const journal of journals) {
    const lines = readFileSync(journal, "utf8").split("\n");
    writeFileSync(journal, lines.filter((line) => !line.includes('"group"')).join("\n"));
  }
  const { agent } = open({ files: { onRunning: async () => "stop" } });
  await agent.start();
  expect(isAlive({ pid: Number(pid) })).toBe(false);
  await agent.dispose();
});

test("a session that continued elsewhere says that the changes happened during the call, not that it made them here", async () => {
  const { start, open, flag, file } = place({ git: false });
  const { kill } = start([[bash(`rm mine.txt; touch ${flag}; sleep 1000`)]]);
  await vi.waitFor(() => expect(existsSync(flag)).toBe(true), WAIT);
  await kill();
  const other = SessionManager.open(file);
  other.appendMessage({ role: "user", content: "by a program that knows nothing of this", timestamp: 0 });
  other.close();
  const { agent, session } = open({ files: { onRunning: async () => "stop" } });
  await agent.start();
  expect(records(session)).toEqual([["person", ["call-0-0"], ["-mine.txt"]]]);
  await agent.dispose();
  rmSync(file);
});
