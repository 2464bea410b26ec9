/** Merges and cherry-picks that bring files: real tools, real files, with and without git. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CHANGED_FILES_TYPE, type EntryId } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { createTools } from "../../tool/index.js";
import { type HarnessOptions, harness } from "../agent-harness.test-support.js";
import type { AgentSession } from "../agent-session.js";
import { fakeHooks } from "../operation-parts.test-support.js";
import { type ScriptedCall, type ScriptStep, scriptedModel } from "../scripted-model.test-support.js";

const bash = (command: string): ScriptedCall => ({ name: "bash", arguments: { command } });
const step = (...commands: readonly string[]): ScriptStep[] => [{ calls: commands.map(bash) }, "done"];

const START = "one\ntwo\nthree\nfour\nfive\n";
const THEIRS = "sed -i s/one/THEIRS/ a.txt; echo new > new.txt; rm gone.txt";
const OURS = "sed -i s/five/OURS/ a.txt";

interface PlaceOptions extends Partial<HarnessOptions> {
  readonly git?: boolean;
  /** What the tools of the other branch run, and of this one. */
  readonly theirs?: string;
  readonly ours?: string;
  /** After that. */
  readonly more?: readonly ScriptStep[];
}

/** Branch 1 did `theirs`; the leaf is on branch 2, which did `ours`, and so is the folder. */
async function place({ git = true, theirs = THEIRS, ours = OURS, more = [], ...options }: PlaceOptions = {}) {
  const root = tempFolder();
  mkdirSync(join(root, "sub"));
  writeFileSync(join(root, "a.txt"), START);
  writeFileSync(join(root, "gone.txt"), "gone\n");
  if (git) {
    const run = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...args], { cwd: root });
    run("init", "--quiet");
    run("add", "-A");
    run("commit", "--quiet", "-m", "start");
  }
  const home = tempFolder();
  const sessions = tempFolder();
  const model = scriptedModel(["hello", ...step(theirs), ...step(ours), ...more]);
  const session = SessionManager.create(root, sessions);
  const common = { model, cwd: root, tools: createTools(), outputDir: tempFolder(), files: { home }, ...options };
  const made = harness({ ...common, session });
  const { agent } = made;
  await agent.prompt("hello");
  const start = session.getLeafId() as EntryId;
  await agent.prompt("theirs");
  const theirsTip = await leafAfter(agent);
  await agent.switchTo(start, { files: "follow" });
  await agent.prompt("ours");
  await leafAfter(agent);
  const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : undefined);
  /** The session in a new process. */
  const again = async () => {
    await agent.dispose();
    const opened = SessionManager.open(session.getSessionFile() as string, sessions);
    return harness({ ...common, session: opened }).agent;
  };
  return { ...made, start, tip: theirsTip, root, read, again };
}

/** Everything that tools changed is recorded. */
async function leafAfter(agent: AgentSession): Promise<EntryId> {
  await agent.planFiles(agent.session.getLeafId());
  return agent.session.getLeafId() as EntryId;
}

const MERGED = "THEIRS\ntwo\nthree\nfour\nOURS\n";

describe.each([{ git: true }, { git: false }])("a merge with files (git: $git)", ({ git }) => {
  test("brings words and files, and /undo and /redo take both", async () => {
    const { agent, tip, read, session } = await place({ git });
    const before = session.getLeafId();
    const outcome = await agent.merge(tip, { summarize: false, files: "follow" });
    expect(outcome).toMatchObject({
      kind: "done",
      files: { kind: "followed", written: ["a.txt", "new.txt"], deleted: ["gone.txt"], kept: [] },
    });
    const merged = () => [read("a.txt"), read("new.txt"), read("gone.txt")];
    expect(merged()).toEqual([MERGED, "new\n", undefined]);
    expect(agent.undoStep).toEqual({ kind: "merge", from: before });
    const after = session.getLeafId();
    await agent.undoMove({ files: "follow" });
    expect([session.getLeafId(), ...merged()]).toEqual([before, "one\ntwo\nthree\nfour\nOURS\n", undefined, "gone\n"]);
    await agent.redoMove({ files: "follow" });
    expect([session.getLeafId(), ...merged()]).toEqual([after, MERGED, "new\n", undefined]);
  });

  test("is undone after a restart too", async () => {
    const { agent, tip, read, session, again } = await place({ git, more: ["## Goal\nmerge"] });
    const before = session.getLeafId();
    expect(await agent.merge(tip, { files: "follow" })).toMatchObject({ kind: "done", ids: [expect.any(String)] });
    const opened = await again();
    expect(opened.undoStep).toEqual({ kind: "merge", from: before });
    await opened.undoMove({ files: "follow" });
    expect([opened.session.getLeafId(), read("a.txt"), read("gone.txt")]).toEqual([
      before,
      "one\ntwo\nthree\nfour\nOURS\n",
      "gone\n",
    ]);
    await opened.dispose();
  });
});

test("without `files`, a merge brings words alone, and the files can be brought later", async () => {
  const { agent, tip, read, session } = await place();
  const outcome = await agent.merge(tip, { summarize: false });
  expect(outcome).toMatchObject({ kind: "done" });
  expect([outcome.kind === "done" && outcome.files, read("new.txt")]).toEqual([undefined, undefined]);
  const before = session.getLeafId();
  expect(await agent.merge(tip, { summarize: false, files: "follow" })).toMatchObject({
    kind: "done",
    ids: [],
    files: { written: ["a.txt", "new.txt"] },
  });
  expect([read("a.txt"), agent.undoStep]).toEqual([MERGED, { kind: "merge", from: before }]);
  expect(await agent.merge(tip, { summarize: false, files: "follow" })).toEqual({ kind: "unchanged" });
});

test("the option onMerge is the default", async () => {
  const follows = await place({ files: { home: tempFolder(), onMerge: "follow" } });
  expect(await follows.agent.merge(follows.tip, { summarize: false })).toMatchObject({ files: { kind: "followed" } });
  const asks = await place({ files: { home: tempFolder(), onMerge: "ask" } });
  expect(await asks.agent.merge(asks.tip, { summarize: false })).not.toHaveProperty("files");
});

test("a conflict without an answer leaves words and files as they were, before the model is asked", async () => {
  const { agent, tip, read, session, root } = await place({ ours: "sed -i s/one/OURS/ a.txt" });
  const before = session.getLeafId();
  const size = session.getCounts();
  const conflicts = { kind: "conflicts", conflicts: [{ path: "a.txt", clash: "lines" }] };
  expect(await agent.merge(tip, { files: "follow" })).toEqual(conflicts);
  expect(await agent.merge(tip, { files: "follow", conflicts: { other: "take" } })).toEqual(conflicts);
  expect([session.getLeafId(), session.getCounts(), read("new.txt")]).toEqual([before, size, undefined]);
  const answered = { summarize: false, files: "follow", conflicts: { "a.txt": "markers" } } as const;
  expect(await agent.merge(tip, answered)).toMatchObject({ kind: "done", files: { written: ["a.txt", "new.txt"] } });
  expect(read("a.txt")).toBe("<<<<<<< ours\nOURS\n=======\nTHEIRS\n>>>>>>> theirs\ntwo\nthree\nfour\nfive\n");
  expect(existsSync(join(root, "gone.txt"))).toBe(false);
});

test("what was changed outside of the session is merged, and kept by an undo", async () => {
  const { agent, tip, read, root } = await place();
  writeFileSync(join(root, "a.txt"), `${START.replace("five", "OURS")}mine\n`);
  await agent.merge(tip, { summarize: false, files: "follow" });
  expect(read("a.txt")).toBe(`${MERGED}mine\n`);
  await agent.undoMove({ files: "follow" });
  expect(read("a.txt")).toBe(`${START.replace("five", "OURS")}mine\n`);
});

test("a file that changes while the model writes the summary is planned again", async () => {
  let change = () => {};
  const { agent, tip, read, root } = await place({
    more: [
      () => {
        change();
        return "## Goal\nmerge";
      },
    ],
  });
  change = () => writeFileSync(join(root, "a.txt"), `${START.replace("five", "OURS")}late\n`);
  expect(await agent.merge(tip, { files: "follow" })).toMatchObject({ kind: "done", files: { kind: "followed" } });
  expect(read("a.txt")).toBe(`${MERGED}late\n`);
});

test("a summary that fails brings no files", async () => {
  const failing = { failure: { kind: "bad-request", message: "no" } } as const;
  const { agent, tip, read, session } = await place({ more: [failing] });
  const before = session.getLeafId();
  await expect(agent.merge(tip, { files: "follow" })).rejects.toMatchObject({ code: "summary-failed" });
  expect([session.getLeafId(), read("new.txt")]).toEqual([before, undefined]);
});

test("an extension may keep the files as they are", async () => {
  const cancel = { name: "keeper", on: { session_before_files: () => ({ cancel: true }) } };
  let isOn = false;
  const { hooks } = fakeHooks([
    { ...cancel, on: { session_before_files: () => (isOn ? { cancel: true } : undefined) } },
  ]);
  const { agent, tip, read } = await place({ hooks });
  isOn = true;
  const outcome = await agent.merge(tip, { summarize: false, files: "follow" });
  expect([outcome, read("new.txt")]).toMatchObject([{ kind: "done", files: { kind: "cancelled" } }, undefined]);
});

test("the model is told which files came with a merge", async () => {
  const { agent, tip, session } = await place({ more: ["ok"] });
  await agent.merge(tip, { summarize: false, files: "follow" });
  await agent.prompt("go on");
  const told = session
    .getBranch()
    .flatMap((entry) => (entry.type === "custom_message" && entry.customType === CHANGED_FILES_TYPE ? [entry] : []));
  expect(told.at(-1)?.details).toEqual({ files: ["a.txt", "gone.txt", "new.txt"] });
});

describe("a cherry-pick with files", () => {
  /** The entries of branch 1 that call tools. */
  const callsOf = (session: SessionManager, tip: EntryId) =>
    session.getBranch(tip).filter((entry) => entry.type === "message" && entry.message.role === "assistant");

  test("brings what the picked step changed, and undo takes both", async () => {
    const { agent, tip, read, session } = await place();
    const before = session.getLeafId();
    const call = callsOf(session, tip).at(-2);
    const outcome = await agent.cherryPick([call?.id as EntryId], { files: "follow" });
    expect(outcome).toMatchObject({
      kind: "done",
      skipped: [],
      files: { kind: "followed", written: ["a.txt", "new.txt"], deleted: ["gone.txt"] },
    });
    expect([read("a.txt"), agent.undoStep]).toEqual([MERGED, { kind: "cherry-pick", from: before }]);
    await agent.undoMove({ files: "follow" });
    expect([read("a.txt"), read("new.txt"), session.getLeafId()]).toEqual([
      "one\ntwo\nthree\nfour\nOURS\n",
      undefined,
      before,
    ]);
  });

  test("changes no files for entries without tool calls", async () => {
    const { agent, tip, read } = await place();
    const answer = callsOf(agent.session, tip).at(-1);
    const outcome = await agent.cherryPick([answer?.id as EntryId], { files: "follow" });
    expect([outcome.kind, outcome.kind === "done" && outcome.files, read("new.txt")]).toEqual([
      "done",
      undefined,
      undefined,
    ]);
  });

  test("can bring the files later, once", async () => {
    const { agent, tip, read } = await place();
    const call = callsOf(agent.session, tip).at(-2)?.id as EntryId;
    await agent.cherryPick([call]);
    expect(await agent.cherryPick([call], { files: "follow" })).toMatchObject({ kind: "done", ids: [] });
    expect(read("a.txt")).toBe(MERGED);
    expect(await agent.cherryPick([call], { files: "follow" })).toMatchObject({ kind: "unchanged" });
  });

  test("is refused as a whole while a conflict has no answer", async () => {
    const { agent, tip, session } = await place({ ours: "sed -i s/one/OURS/ a.txt" });
    const before = session.getLeafId();
    const call = callsOf(session, tip).at(-2)?.id as EntryId;
    expect(await agent.cherryPick([call], { files: "follow" })).toMatchObject({ kind: "conflicts" });
    expect(session.getLeafId()).toBe(before);
  });
});
