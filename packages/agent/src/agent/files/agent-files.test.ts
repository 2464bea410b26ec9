/** Files that follow an agent: real tools, real files, real git. */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";

import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CHANGED_FILES_TYPE, type EntryId, FILES_TYPE, roleIn, type SessionEntry } from "@bough/session/entry/index.js";
import { filesRecord } from "@bough/session/entry/internal.js";
import type { SessionManager } from "@bough/session/session/index.js";
import {
  BlobStore,
  collectGarbage,
  compareFiles,
  type FilesRoot,
  filesRoot,
} from "@bough/workbench/checkpoint/index.js";
import { describe, expect, test, vi } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { createTools, defineJsonTool } from "../../tool/index.js";
import type { AgentEvent } from "../agent-events.js";
import { type HarnessOptions, harness } from "../agent-harness.test-support.js";
import { fakeHooks } from "../operation-parts.test-support.js";
import { type ScriptedCall, type ScriptStep, scriptedModel } from "../scripted-model.test-support.js";

const bash = (command: string): ScriptedCall => ({ name: "bash", arguments: { command } });
const write = (path: string, content: string): ScriptedCall => ({ name: "write", arguments: { path, content } });
const edit = (path: string, oldText: string, newText: string): ScriptedCall => ({
  name: "edit",
  arguments: { path, edits: [{ oldText, newText }] },
});
/** A prompt that calls tools, and the answer after it. */
const step = (...calls: readonly ScriptedCall[]): ScriptStep[] => [{ calls }, "done"];

interface PlaceOptions extends Partial<HarnessOptions> {
  readonly git?: boolean;
}

function place(steps: readonly ScriptStep[], { git = true, ...options }: PlaceOptions = {}) {
  const root = tempFolder();
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, "src/a.ts"), "one\n");
  writeFileSync(join(root, ".gitignore"), "*.log\n");
  const run = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], { cwd: root });
  if (git) {
    run("init", "--quiet");
    run("add", "-A");
    run("commit", "--quiet", "-m", "start");
  }
  const model = scriptedModel(steps);
  const home = tempFolder();
  const made = harness({
    model,
    cwd: root,
    tools: createTools(),
    outputDir: tempFolder(),
    files: { home },
    ...options,
  });
  const at = (path: string) => join(root, path);
  const read = (path: string) => (existsSync(at(path)) ? readFileSync(at(path), "utf8") : undefined);
  return { ...made, model, root, home, at, read };
}

/** Without the one that says how far a first look is: on a busy machine it takes more than a moment. */
function notices(events: readonly AgentEvent[]): readonly AgentEvent[] {
  return events.filter((event) => event.type === "notice" && !event.message.startsWith("Storing this folder's files"));
}

function records(session: SessionManager) {
  return session.getBranch().flatMap((entry) => {
    if (entry.type !== "custom" || entry.customType !== FILES_TYPE) return [];
    const { by, tool, changes } = filesRecord(entry.data) ?? { by: "?", tool: "?", changes: [] };
    return [`${by}${tool === undefined ? "" : ` (${tool})`}: ${changes.map(({ path }) => path).join(" ")}`];
  });
}

/** Prompts on the path, by their text. */
function promptId(session: SessionManager, text: string): EntryId {
  const found = session
    .getEntries()
    .find((entry) => entry.type === "message" && entry.message.role === "user" && JSON.stringify(entry).includes(text));
  if (found === undefined) throw new Error(`no prompt ${text}`);
  return found.id;
}

describe.each([
  ["with git", true],
  ["without git", false],
])("%s", (_, git) => {
  test("edits, new files and shell commands are recorded below their step, each step once", async () => {
    const { agent, session, events } = place(
      [
        ...step(edit("src/a.ts", "one", "two")),
        ...step(bash("echo x > b.txt; rm src/a.ts")),
        ...step(write("c.txt", "c"), bash("echo y > d.txt")),
        "nothing done",
      ],
      { git },
    );
    await agent.prompt("first");
    await agent.prompt("second");
    await agent.prompt("third");
    await agent.prompt("fourth");
    expect(records(session)).toEqual([
      "tool (edit): src/a.ts",
      "tool (bash): b.txt src/a.ts",
      "tool (write, bash): c.txt d.txt",
    ]);
    expect(events.filter(({ type }) => type === "files_changed")).toHaveLength(3);
    expect(notices(events)).toEqual([]);
  });

  test("going back restores the files, and going forward does too", async () => {
    const { agent, session, read } = place(
      [...step(edit("src/a.ts", "one", "two")), ...step(bash("echo broken > src/a.ts; echo new > new.txt"))],
      { git },
    );
    await agent.prompt("first");
    await agent.prompt("second");
    const moved = await agent.navigateTree(promptId(session, "second"), { files: "follow" });
    expect(moved).toMatchObject({
      kind: "done",
      files: { kind: "followed", written: ["src/a.ts"], deleted: ["new.txt"], kept: [], missing: [] },
    });
    expect([read("src/a.ts"), read("new.txt")]).toEqual(["two\n", undefined]);
    expect(await agent.undoMove({ files: "follow" })).toMatchObject({ files: { written: ["new.txt", "src/a.ts"] } });
    expect([read("src/a.ts"), read("new.txt")]).toEqual(["broken\n", "new\n"]);
    expect(await agent.redoMove({ files: "follow" })).toMatchObject({ files: { kind: "followed" } });
    expect(read("src/a.ts")).toBe("two\n");
  });
});

test.each([
  ["with git", true],
  ["without git", false],
])("%s, a file only its owner may read stays that when it comes back", async (_, git) => {
  const steps = step(bash("mv key old; printf open > key; rm notes; chmod 644 read-only; echo more >> read-only"));
  const { agent, session, at, read } = place(steps, { git });
  for (const [name, mode] of [
    ["key", 0o600],
    ["notes", 0o640],
    ["read-only", 0o400],
  ] as const) {
    writeFileSync(at(name), name);
    chmodSync(at(name), mode);
  }
  const modes = () => ["key", "notes", "read-only"].map((name) => lstatSync(at(name)).mode & 0o777);
  await agent.prompt("first");
  expect([read("key"), lstatSync(at("old")).mode & 0o777]).toEqual(["open", 0o600]);
  await agent.navigateTree(promptId(session, "first"), { files: "follow" });
  expect([read("key"), read("old"), ...modes()]).toEqual(["key", undefined, 0o600, 0o640, 0o400]);
  // Forward again: what was open stays closed, because a restore never opens a file.
  await agent.undoMove({ files: "follow" });
  expect([read("key"), lstatSync(at("key")).mode & 0o777, lstatSync(at("old")).mode & 0o777]).toEqual([
    "open",
    0o600,
    0o600,
  ]);
});

test("a tool of an extension and a command of the person are found by looking", async () => {
  const tool = defineJsonTool({
    name: "generate",
    description: "Writes a file.",
    parameters: { type: "object", properties: {} },
    execute: async () => {
      writeFileSync(join(root, "generated"), "x");
      return { content: [{ type: "text", text: "ok" }] };
    },
  });
  const { agent, session, root } = place([{ calls: [{ name: "generate" }] }, "done"], {
    tools: [...createTools(), tool],
  });
  await agent.prompt("go");
  await agent.runBash("echo mine > mine.txt");
  expect(records(session)).toEqual(["tool (generate): generated", "person (bash): mine.txt"]);
});

test("the user's changes between prompts are recorded as theirs, above the prompt, and the model is told once", async () => {
  const { agent, session, model, at, read } = place([...step(edit("src/a.ts", "one", "two")), "seen", "again"]);
  await agent.prompt("first");
  writeFileSync(at("src/a.ts"), "mine\n");
  await agent.prompt("second");
  await agent.prompt("third");
  expect(records(session)).toEqual(["tool (edit): src/a.ts", "person: src/a.ts"]);
  const told = session.getBranch().filter((entry) => entry.type === "custom_message");
  expect(told).toMatchObject([{ customType: CHANGED_FILES_TYPE, details: { files: ["src/a.ts"] } }]);
  expect(JSON.stringify(model.requests.at(-2)?.messages.at(-1))).toContain('\\"src/a.ts\\"');
  const [before, after] = model.requests.slice(-2).map(({ messages }) => messages);
  expect(after?.slice(0, before?.length)).toEqual(before);
  // Going back before the prompt keeps what the person did.
  await agent.navigateTree(promptId(session, "second"), { files: "follow" });
  expect(read("src/a.ts")).toBe("mine\n");
});

test("if files stay, the outcome says so, and the model is told which differ when the conversation continues", async () => {
  const { agent, session, model, read } = place([...step(edit("src/a.ts", "one", "two")), "other", "more"]);
  await agent.prompt("first");
  const moved = await agent.navigateTree(promptId(session, "first"));
  expect(moved.files).toEqual({ kind: "stayed", differing: 1 });
  expect(read("src/a.ts")).toBe("two\n");
  expect(await agent.differingFiles()).toEqual(["src/a.ts"]);
  await agent.prompt("another way");
  expect(records(session)).toEqual(["restore: src/a.ts"]);
  // There was nothing that the model had seen on this branch.
  await agent.prompt("more");
  expect(model.requests).toHaveLength(4);
});

test("no file differs at the result of a step, and branches from there did not change what that step did", async () => {
  const steps = [...step(edit("src/a.ts", "one", "two")), ...step(write("b.ts", "b"))];
  const { agent, session, root, home } = place([...steps, "another way"]);
  await agent.prompt("first");
  await agent.prompt("second");
  const result = session.getBranch().find((entry) => roleIn(entry) === "toolResult") as SessionEntry;
  const oldTip = session.getLeafId() as EntryId;
  expect((await agent.switchTo(result.id, { files: "follow" })).files).toMatchObject({ kind: "followed" });
  expect(await agent.differingFiles()).toEqual([]);
  await agent.prompt("third");
  expect(await agent.differingFiles()).toEqual([]);
  const { store } = (await filesRoot(root, home)) as FilesRoot;
  const tips = { a: oldTip, b: session.getLeafId() as EntryId };
  const compared = await compareFiles(session.getSource(), tips, { store: new BlobStore(store) });
  expect(compared?.changed).toEqual({ onlyA: ["b.ts"], both: [], onlyB: [] });
});

test("a model that saw other files is told about files that stayed on another branch", async () => {
  const { agent, session } = place(["hello", ...step(edit("src/a.ts", "one", "two")), "go on", "more"]);
  await agent.prompt("start");
  await agent.prompt("change it");
  await agent.navigateTree(promptId(session, "change it"), { files: "stay" });
  await agent.prompt("another way");
  await agent.prompt("more");
  const told = session.getBranch().filter((entry) => entry.type === "custom_message");
  expect(told).toMatchObject([{ details: { files: ["src/a.ts"] } }]);
});

test("restored files are as the model knows them, so nothing is reported", async () => {
  const { agent, session } = place(["hello", ...step(bash("echo x > src/a.ts")), "go on"]);
  await agent.prompt("start");
  await agent.prompt("change it");
  await agent.navigateTree(promptId(session, "change it"), { files: "follow" });
  await agent.prompt("another way");
  expect(session.getBranch().filter((entry) => entry.type === "custom_message")).toEqual([]);
});

test("a conflict is kept unless it should be taken, and an overwritten file can be restored", async () => {
  const { agent, session, at, read } = place([...step(edit("src/a.ts", "one", "two"))]);
  await agent.prompt("first");
  writeFileSync(at("src/a.ts"), "mine\n");
  const first = promptId(session, "first");
  expect(await agent.planFiles(null)).toMatchObject({ files: [], conflicts: [{ path: "src/a.ts", why: "changed" }] });
  const kept = await agent.navigateTree(first, { files: "follow" });
  expect(kept.files).toMatchObject({ kind: "followed", written: [], kept: ["src/a.ts"] });
  expect(read("src/a.ts")).toBe("mine\n");
  await agent.undoMove({ files: "follow" });
  expect(read("src/a.ts")).toBe("two\n");
  writeFileSync(at("src/a.ts"), "mine again\n");
  const taken = await agent.navigateTree(first, { files: "follow", conflicts: { "src/a.ts": "take" } });
  expect(taken.files).toMatchObject({ kind: "followed", written: ["src/a.ts"], kept: [] });
  expect(read("src/a.ts")).toBe("one\n");
  await agent.undoMove({ files: "follow" });
  expect(read("src/a.ts")).toBe("mine again\n");
});

test("a tool result has the files that its step left", async () => {
  const { agent, session, read } = place([...step(bash("echo x > src/a.ts")), ...step(bash("echo y > src/a.ts"))]);
  await agent.prompt("first");
  await agent.prompt("second");
  const result = session.getBranch().find((entry) => entry.type === "message" && entry.message.role === "toolResult");
  await agent.switchTo(result?.id as EntryId, { files: "follow" });
  expect(read("src/a.ts")).toBe("x\n");
  await agent.undoMove({ files: "follow" });
  expect(read("src/a.ts")).toBe("y\n");
});

test("every result of calls that ran beside each other has the files that they left together", async () => {
  const { agent, session, read } = place([
    ...step(bash("echo x > src/a.ts"), { name: "ls", arguments: {} }, bash("echo y > b.txt"), write("c.txt", "z")),
    ...step(bash("rm -r src b.txt c.txt")),
  ]);
  await agent.prompt("first");
  await agent.prompt("second");
  const results = session
    .getBranch()
    .filter((entry) => entry.type === "message" && entry.message.role === "toolResult")
    .slice(0, 4);
  for (const { id } of [results[0], results[2], results[3]] as { id: EntryId }[]) {
    await agent.switchTo(id, { files: "follow" });
    expect([read("src/a.ts"), read("b.txt"), read("c.txt")]).toEqual(["x\n", "y\n", "z"]);
    await agent.undoMove({ files: "follow" });
    expect(read("b.txt")).toBeUndefined();
  }
  // What only reads had nothing to do with it.
  await agent.switchTo(results[1]?.id as EntryId, { files: "follow" });
  expect([read("src/a.ts"), read("b.txt")]).toEqual(["one\n", undefined]);
});

test("files alone, all or some, can be those of another entry; the branch says so", async () => {
  const { agent, session, read } = place([...step(bash("echo x > src/a.ts; echo b > b.txt"))]);
  await agent.prompt("first");
  const leaf = session.getLeafId();
  expect(await agent.restoreFiles(null, { paths: ["src"] })).toMatchObject({ written: ["src/a.ts"], deleted: [] });
  expect([read("src/a.ts"), read("b.txt")]).toEqual(["one\n", "b\n"]);
  expect(records(session)).toEqual(["tool (bash): b.txt src/a.ts", "restore: src/a.ts"]);
  await agent.restoreFiles(leaf);
  expect(read("src/a.ts")).toBe("x\n");
});

test("what differs between two entries, or an entry and the disk, has counts and a diff", async () => {
  const { agent, session, at } = place([...step(bash("echo two > src/a.ts")), ...step(bash("mv src/a.ts src/b.ts"))]);
  await agent.prompt("first");
  const first = session.getLeafId();
  await agent.prompt("second");
  const differing = async (...sides: Parameters<typeof agent.diffFiles>) => {
    const found: unknown[] = [];
    for await (const one of (await agent.diffFiles(...sides)).files) found.push(one);
    return found;
  };
  expect(await differing(null, first)).toMatchObject([
    { path: "src/a.ts", change: "changed", added: 1, removed: 1, hunks: expect.stringContaining("-one\n+two") },
  ]);
  expect(await differing(first)).toMatchObject([{ path: "src/b.ts", from: "src/a.ts", change: "renamed" }]);
  writeFileSync(at("src/b.ts"), "three\n");
  expect(await differing(session.getLeafId(), "disk", { paths: ["src"] })).toMatchObject([
    { path: "src/b.ts", change: "changed" },
  ]);
  await expect(differing("nope" as EntryId)).rejects.toMatchObject({ code: "entry-not-found" });
});

test("a fork takes the files along, or says that they stayed", async () => {
  const { agent, session, read } = place([
    ...step(bash("echo x > src/a.ts")),
    ...step(bash("echo y > src/a.ts")),
    "ok",
  ]);
  await agent.prompt("first");
  await agent.prompt("second");
  const forked = await agent.fork(promptId(session, "second"), { files: "follow" });
  expect([forked.files?.kind, read("src/a.ts")]).toEqual(["followed", "x\n"]);
  const again = await agent.fork(promptId(session, "first"));
  expect([again.files, read("src/a.ts")]).toEqual([{ kind: "stayed", differing: 1 }, "x\n"]);
  await agent.prompt("go on");
  expect(records(session)).toEqual(["restore: src/a.ts"]);
});

test("what a fork and a clone name is kept when the first session is deleted", async () => {
  const { agent, session, home } = place([...step(bash("echo x > src/a.ts")), ...step(bash("echo y > src/a.ts"))]);
  await agent.prompt("first");
  await agent.prompt("second");
  const first = session.getSessionFile() as string;
  const { newSessionFile: forked } = await agent.fork(promptId(session, "second"));
  const { newSessionFile: cloned } = await agent.clone();
  const { store } = (await filesRoot(session.getCwd(), home)) as FilesRoot;
  const { sessions } = JSON.parse(readFileSync(join(store, "sessions.json"), "utf8"));
  expect(sessions).toEqual([first, forked, cloned]);
  rmSync(first);
  const now = new Date(Date.now() + 20 * 24 * 60 * 60_000);
  expect(await collectGarbage({ store, sessions: [], now, dryRun: true })).toMatchObject({ kind: "done", kept: 2 });
});

test("what a session keeps on disk while it works goes when it is left, and when the agent ends", async () => {
  const { agent, root, home } = place([...step(bash("touch x")), ...step(bash("touch y"))]);
  await agent.prompt("first");
  const { store } = (await filesRoot(root, home)) as FilesRoot;
  const more = () => readdirSync(join(store, "work")).length;
  expect(more()).toBe(1);
  await agent.newSession();
  await vi.waitFor(() => expect(more()).toBe(0), { timeout: 60_000 });
  await agent.prompt("second");
  expect(more()).toBe(1);
  await agent.dispose();
  await vi.waitFor(() => expect(more()).toBe(0), { timeout: 60_000 });
});

test("a resumed session finds what changed in the meantime", async () => {
  const { agent, session, root, home, at } = place([...step(bash("echo x > src/a.ts"))]);
  await agent.prompt("first");
  const file = session.getSessionFile() as string;
  await agent.dispose();
  writeFileSync(at("src/a.ts"), "meanwhile\n");
  const { SessionManager } = await import("@bough/session/session/index.js");
  const opened = SessionManager.open(file);
  const later = harness({ model: scriptedModel(["ok"]), session: opened, cwd: root, files: { home } });
  await later.agent.prompt("second");
  expect(records(opened)).toEqual(["tool (bash): src/a.ts", "person: src/a.ts"]);
});

test("back in an earlier session, changes are recorded once, even if the folder was scanned in between", async () => {
  const { agent, session, at } = place([...step(bash("echo x > src/a.ts")), ...step(bash("echo y > b.txt")), "ok"]);
  await agent.prompt("first");
  const file = session.getSessionFile() as string;
  await agent.newSession();
  await agent.prompt("second");
  writeFileSync(at("src/a.ts"), "meanwhile\n");
  await agent.openSession(file);
  await agent.prompt("third");
  expect(records(session)).toEqual(["tool (bash): src/a.ts", "person: src/a.ts"]);
});

test("a restore that was killed is settled when an agent starts in the folder, before anything else", async () => {
  const { agent, session, home, root, read } = place([...step(bash("echo x > src/a.ts; echo b > b.txt"))]);
  await agent.prompt("first");
  const plan = await agent.planFiles(null);
  const store = join(home, "files", readdirSync(join(home, "files")).find((name) => name.length === 32) as string);
  const given = join(tempFolder(), "plan.json");
  writeFileSync(given, JSON.stringify({ store, plan }));
  const child = fileURLToPath(new URL("../../../../../test/support/restore-kill-child.mjs", import.meta.url));
  expect(spawnSync(process.execPath, [child, given, "committed"]).signal).toBe("SIGKILL");
  const journals = () => readdirSync(join(store, "journal"));
  expect(journals()).toContainEqual(expect.stringMatching(/\.commit$/));
  const later = harness({ model: scriptedModel([]), session, cwd: root, files: { home } });
  await later.agent.start();
  expect([read("src/a.ts"), read("b.txt")]).toEqual(["one\n", undefined]);
  expect(later.events).toMatchObject([
    { type: "notice", level: "warning", message: expect.stringContaining("completed") },
  ]);
  expect(journals()).toEqual([]);
});

test("files that stayed are still known as that after a restart, and by an agent on another branch", async () => {
  const { agent, session, root, home, read } = place(["hello", ...step(bash("echo x > src/a.ts"))]);
  await agent.prompt("start");
  const hello = session.getLeafId() as EntryId;
  await agent.prompt("change it");
  const other = await agent.spawnBranch(hello, { model: scriptedModel(["ok"]) });
  await other.prompt("beside");
  expect(records(other.session)).toEqual(["restore: src/a.ts"]);
  await other.dispose();
  await agent.navigateTree(promptId(session, "change it"), { files: "stay" });
  const file = session.getSessionFile() as string;
  await agent.dispose();
  const { SessionManager } = await import("@bough/session/session/index.js");
  const opened = SessionManager.open(file);
  const model = scriptedModel([...step(edit("src/a.ts", "x", "y"))]);
  const later = harness({ model, session: opened, cwd: root, tools: createTools(), files: { home } });
  await later.agent.prompt("edit it");
  expect(records(opened)).toEqual(["restore: src/a.ts", "tool (edit): src/a.ts"]);
  await later.agent.switchTo(hello, { files: "follow" });
  expect(read("src/a.ts")).toBe("one\n");
});

test("a kept conflict at a tool result returns to its state before that step", async () => {
  const { agent, session, at, read } = place([...step(bash("echo x > src/a.ts")), ...step(bash("echo y > src/a.ts"))]);
  await agent.prompt("first");
  const result = session.getBranch().find((entry) => entry.type === "message" && entry.message.role === "toolResult");
  await agent.prompt("second");
  writeFileSync(at("src/a.ts"), "mine\n");
  await agent.switchTo(result?.id as EntryId, { files: "follow" });
  expect(read("src/a.ts")).toBe("mine\n");
  await agent.navigateTree(promptId(session, "first"), { files: "follow" });
  expect(read("src/a.ts")).toBe("one\n");
});

test("a file written by one call of a step and deleted by another is not a change", async () => {
  const { agent, session } = place([...step(write("tmp.js", "x"), bash("until [ -e tmp.js ]; do :; done; rm tmp.js"))]);
  await agent.prompt("first");
  expect(records(session)).toEqual([]);
});

test("a file that grew too large is not read, and is reported as skipped", async () => {
  const { agent, session, root, home, at } = place([...step(bash("echo x > src/a.ts"))]);
  await agent.prompt("first");
  const file = session.getSessionFile() as string;
  await agent.dispose();
  writeFileSync(at("src/a.ts"), "x".repeat(2000));
  const { SessionManager } = await import("@bough/session/session/index.js");
  const opened = SessionManager.open(file);
  const later = harness({ model: scriptedModel(["ok"]), session: opened, cwd: root, files: { home, maxBytes: 1000 } });
  await later.agent.prompt("second");
  const last = opened.getBranch().findLast((entry) => entry.type === "custom");
  expect(filesRecord((last as { readonly data?: unknown }).data)).toMatchObject({
    changes: [],
    skipped: [{ path: "src/a.ts", why: "too-large", size: 2000 }],
  });
});

test("going to a tool result whose files are already there reports nothing about files", async () => {
  const { agent, session } = place([...step(bash("echo x > src/a.ts"))]);
  await agent.prompt("first");
  const result = session.getBranch().find((entry) => entry.type === "message" && entry.message.role === "toolResult");
  expect((await agent.switchTo(result?.id as EntryId, { files: "follow" })).files).toBeUndefined();
});

test("an extension can keep the files as they are, and is notified of changes", async () => {
  const heard: string[] = [];
  const { hooks } = fakeHooks([
    {
      name: "keeper",
      on: {
        session_before_files: ({ written }) => ({ cancel: written.includes("src/a.ts") }),
        files_changed: ({ by, files }) => void heard.push(`${by} ${files.map(({ path }) => path)}`),
      },
    },
  ]);
  const { agent, session, read } = place([...step(bash("echo x > src/a.ts"))], { hooks });
  await agent.prompt("first");
  const moved = await agent.navigateTree(promptId(session, "first"), { files: "follow" });
  expect([moved.files, read("src/a.ts")]).toEqual([{ kind: "stayed", differing: 1 }, "x\n"]);
  expect(heard).toEqual(["tool src/a.ts"]);
});

test("a store that cannot be written ends the following with one notice, and never a run", async () => {
  const home = join(tempFolder(), "home");
  writeFileSync(home, "a file, not a folder");
  const { agent, session, events } = place([...step(bash("echo x > src/a.ts")), ...step(bash("echo y > src/a.ts"))], {
    files: { home },
  });
  expect(await agent.prompt("first")).toMatchObject({ kind: "done" });
  expect(await agent.prompt("second")).toMatchObject({ kind: "done" });
  expect(notices(events)).toHaveLength(1);
  expect(records(session)).toEqual([]);
  await expect(agent.planFiles(null)).rejects.toMatchObject({ code: "files-off" });
});

test("a command that deletes the working folder ends the run as usual", async () => {
  const { agent, root } = place([...step(bash(`rm -rf ${"$PWD"}`))]);
  expect(await agent.prompt("first")).toMatchObject({ kind: "done" });
  expect(existsSync(join(root, "src"))).toBe(false);
});

test("an edit of an ignored file goes back too; what commands do to ignored files is not recorded", async () => {
  const { agent, session, read } = place([...step(write("debug.log", "1"), bash("echo x > other.log"))]);
  await agent.prompt("first");
  expect(records(session)).toEqual(["tool (write, bash): debug.log"]);
  await agent.navigateTree(promptId(session, "first"), { files: "follow" });
  expect([read("debug.log"), read("other.log")]).toEqual([undefined, "x\n"]);
});

test("an ignored file that a tool wrote is still recorded after a restart", async () => {
  const { agent, session, root, home, read } = place([...step(write("debug.log", "1"), bash("echo x > other.log"))]);
  await agent.prompt("first");
  const file = session.getSessionFile() as string;
  await agent.dispose();
  const { SessionManager } = await import("@bough/session/session/index.js");
  const opened = SessionManager.open(file);
  const model = scriptedModel(step(bash("echo 2 > debug.log; echo y > other.log")));
  const later = harness({
    model,
    session: opened,
    cwd: root,
    tools: createTools(),
    outputDir: tempFolder(),
    files: { home },
  });
  await later.agent.prompt("second");
  expect(records(opened)).toEqual(["tool (write, bash): debug.log", "tool (bash): debug.log"]);
  await later.agent.navigateTree(promptId(opened, "second"), { files: "follow" });
  expect([read("debug.log"), read("other.log")]).toEqual(["1", "y\n"]);
});

test("a file that blocks a folder is left alone, whatever the answer", async () => {
  const { agent, session, at, read } = place([...step(bash("echo x > src/a.ts"))]);
  await agent.prompt("first");
  const first = promptId(session, "first");
  rmSync(at("src"), { recursive: true });
  writeFileSync(at("src"), "in the way");
  const moved = await agent.navigateTree(first, { files: "follow", conflicts: "take" });
  expect(moved.files).toMatchObject({ kind: "followed", written: [], kept: ["src/a.ts"] });
  expect(read("src")).toBe("in the way");
});

test("the session's own files in the folder are never recorded", async () => {
  const { agent, session, root } = place([...step(bash("ls > list.txt"))]);
  await agent.prompt("first");
  expect(session.getSessionFile()?.startsWith(root)).toBe(true);
  expect(records(session)).toEqual(["tool (bash): list.txt"]);
});
