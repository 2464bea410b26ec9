/**
 * The first look at a folder stores everything without git. It begins early and goes on behind everything that only reads;
 * commands that may change files wait for it, and are told how far it is.
 */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { filesRecord } from "@bough/session/entry/internal.js";
import { SessionManager } from "@bough/session/session/index.js";
import { afterEach, expect, test, vi } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { createTools, defineJsonTool } from "../../tool/index.js";
import { harness } from "../agent-harness.test-support.js";
import { fakeHooks } from "../operation-parts.test-support.js";
import { scriptedModel } from "../scripted-model.test-support.js";
import { AgentFiles } from "./agent-files.js";

afterEach(() => vi.useRealTimers());

test("waiting for it is reported, with the number of files", async () => {
  const cwd = tempFolder();
  for (let folder = 0; folder < 20; folder++) {
    mkdirSync(join(cwd, `d${folder}`));
    for (let file = 0; file < 100; file++) writeFileSync(join(cwd, `d${folder}`, `${file}.txt`), `${folder} ${file}`);
  }
  const said: string[] = [];
  const emit = (event: { readonly type: string; readonly message?: unknown }) => {
    if (event.type === "notice") said.push(String(event.message));
  };
  const session = SessionManager.create(cwd, tempFolder());
  const files = new AgentFiles({ session, hooks: fakeHooks([]).hooks, cwd, emit }, { home: tempFolder() });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  let isDone = false;
  const waiting = files.beforeTools().then(() => {
    isDone = true;
  });
  while (!isDone) {
    await vi.advanceTimersByTimeAsync(10_000);
    await new Promise((next) => setImmediate(next));
  }
  await waiting;
  vi.useRealTimers();
  expect(said.filter((message) => /^Storing this folder's files .*: [\d,]+ of 2,000$/.test(message))).not.toEqual([]);
  const before = said.length;
  await files.beforeTools();
  expect(said.length).toBe(before);
  await files.close();
});

/** Files of a session in its own folder, and the notices about them. */
function followed() {
  const cwd = tempFolder();
  for (let file = 0; file < 50; file++) writeFileSync(join(cwd, `${file}.txt`), `${file}`);
  const said: unknown[] = [];
  const session = SessionManager.create(cwd, tempFolder());
  const parts = { session, hooks: fakeHooks([]).hooks, cwd, emit: (event: unknown) => said.push(event) };
  const home = tempFolder();
  return { cwd, said, session, home, files: new AgentFiles(parts, { home }) };
}

test.each([0, 1, 3, 10, 30])("no notice appears after the session was left, %i turns later", async (turns) => {
  const { cwd, said, files } = followed();
  const looking = files.beforeTools();
  for (let turn = 0; turn < turns; turn++) await new Promise((next) => setImmediate(next));
  await files.close();
  said.length = 0;
  rmSync(cwd, { recursive: true });
  await looking;
  expect(said).toEqual([]);
});

test("cleanup that runs after the session was closed does not open the folder again", async () => {
  const { cwd, said, files } = followed();
  await files.beforeTools();
  const tidying = files.tidy(new Date());
  await files.close();
  said.length = 0;
  rmSync(cwd, { recursive: true });
  await tidying;
  expect(said).toEqual([]);
});

const NEVER = new AbortController().signal;

/** The announcement that a call of `bash` would make. */
function shell(command: string, signal = NEVER) {
  const tool = createTools().find(({ name }) => name === "bash");
  if (tool === undefined) throw new Error("bug: there is no bash tool");
  return { id: command, tool, input: { command }, signal };
}

/** Whether a look has come to its end: what it found is on the disk. */
function hasLooked(home: string): boolean {
  const files = join(home, "files");
  if (!existsSync(files)) return false;
  return readdirSync(files, { recursive: true, encoding: "utf8" }).some((path) => path.endsWith("known.jsonl"));
}

test("in an agent, a read-only tool runs during the scan, and a parallel one that may write waits", async () => {
  const [cwd, home] = [tempFolder(), tempFolder()];
  for (let file = 0; file < 50; file++) writeFileSync(join(cwd, `${file}.txt`), `${file}`);
  const seen: string[] = [];
  const peek = (name: string, readOnly: boolean) =>
    defineJsonTool({
      name,
      description: name,
      parameters: { type: "object" },
      readOnly,
      execute: async () => {
        seen.push(`${name}: ${hasLooked(home) ? "known" : "not yet"}`);
        return { content: [{ type: "text", text: "ok" }] };
      },
    });
  const calls = ["change", "peek"].map((name) => ({ name, arguments: {} }));
  const { agent } = harness({
    model: scriptedModel([{ calls }, "done"]),
    cwd,
    tools: [peek("change", false), peek("peek", true)],
    files: { home },
  });
  // It begins when the first call needs it, not by a clock.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await agent.prompt("go");
  vi.useRealTimers();
  expect(seen).toEqual(["peek: not yet", "change: known"]);
  await agent.dispose();
});

test("a shell command that only reads does not wait for it either; one that is stopped stops waiting", async () => {
  const { files } = followed();
  const stop = new AbortController();
  const [reads, stopped] = [files.openCall(shell("ls -l")), files.openCall(shell("rm 1.txt", stop.signal))];
  stop.abort();
  const order: string[] = [];
  const writes = files.openCall(shell("rm 2.txt")).then((follower) => {
    order.push("writes");
    return follower;
  });
  expect([await reads, await stopped]).toEqual([undefined, undefined]);
  order.push("reads");
  expect([await writes, order]).toEqual([expect.objectContaining({ mark: expect.any(String) }), ["reads", "writes"]]);
  await files.close();
});

test("no notice appears while no command waits, and prompts do not wait for it", async () => {
  const { files, said } = followed();
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  expect(await files.beforePrompt()).toBe(undefined);
  // It has begun when this has passed.
  await vi.advanceTimersByTimeAsync(1000);
  await files.beforePrompt();
  await vi.advanceTimersByTimeAsync(60_000);
  vi.useRealTimers();
  await files.beforeTools();
  expect(said).toEqual([]);
  await files.close();
});

test("it starts when the user starts typing; nothing is written to the session, and later changes are the user's", async () => {
  const { cwd, files, session, home } = followed();
  files.lookAhead();
  await vi.waitFor(() => expect(hasLooked(home)).toBe(true), { timeout: 60_000 });
  expect([
    session.getEntries(),
    session.getSessionFile() !== undefined && existsSync(session.getSessionFile() ?? ""),
  ]).toEqual([[], false]);
  writeFileSync(join(cwd, "1.txt"), "by the person, while writing");
  expect(await files.beforePrompt()).toBe(undefined);
  session.appendMessage({ role: "user", content: "go", timestamp: 1 });
  const call = await files.openCall(shell("rm 2.txt"));
  rmSync(join(cwd, "2.txt"));
  call?.close({ ran: true });
  files.afterTools([{ type: "toolCall", id: "rm 2.txt", name: "bash", arguments: {} }]);
  await files.settled();
  const records = session.getEntries().flatMap((entry) => {
    const record = entry.type === "custom" ? filesRecord(entry.data) : undefined;
    return record === undefined ? [] : [[record.by, record.changes.map(({ path }) => path)]];
  });
  expect(records.sort()).toEqual([
    ["person", ["1.txt"]],
    ["tool", ["2.txt"]],
  ]);
  await files.close();
});

test("what is read ahead of a later prompt hides nothing: changes before and after it are found", async () => {
  const { cwd, files, session } = followed();
  await files.beforePrompt();
  session.appendMessage({ role: "user", content: "go", timestamp: 1 });
  await files.beforeTools();
  writeFileSync(join(cwd, "1.txt"), "before");
  files.lookAhead();
  files.lookAhead();
  await new Promise((next) => setImmediate(next));
  writeFileSync(join(cwd, "2.txt"), "after");
  await files.beforePrompt();
  const found = session.getEntries().flatMap((entry) => (entry.type === "custom" ? [filesRecord(entry.data)] : []));
  expect(found.map((record) => [record?.by, record?.changes.map(({ path }) => path)])).toEqual([
    ["person", ["1.txt", "2.txt"]],
  ]);
  await files.close();
});
