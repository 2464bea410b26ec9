/** Calls of another agent: their files are scanned as they end, and recorded when their entries exist. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type EntryId, FILES_TYPE } from "@bough/session/entry/index.js";
import { filesRecord } from "@bough/session/entry/internal.js";
import { SessionManager } from "@bough/session/session/index.js";
import { gitIn } from "@bough/workbench/checkpoint/files-place.test-support.js";
import type { FilesScan } from "@bough/workbench/checkpoint/index.js";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { NO_HOOKS } from "../../extension/run.js";
import type { AgentEvent } from "../agent-events.js";
import { AgentFiles } from "./agent-files.js";

function place() {
  const root = tempFolder();
  writeFileSync(join(root, "a.txt"), "start\n");
  gitIn(root, "init", "--quiet");
  gitIn(root, "add", "-A");
  gitIn(root, "commit", "--quiet", "-m", "start");
  const home = tempFolder();
  const session = SessionManager.create(root, tempFolder());
  const events: AgentEvent[] = [];
  const open = (its: SessionManager) =>
    new AgentFiles({ session: its, hooks: NO_HOOKS, cwd: root, emit: (event) => events.push(event) }, { home });
  const write = (text: string) => writeFileSync(join(root, "a.txt"), text);
  const read = () => readFileSync(join(root, "a.txt"), "utf8");
  return { session, events, open, write, read };
}

const Bash = { name: "Bash", readOnly: false };

/** Runs a call as the driver of another agent sees it: it begins, changes something, ends. */
async function call(files: AgentFiles, id: string, change: () => void): Promise<FilesScan | undefined> {
  const { signal } = new AbortController();
  const followed = await files.openCall({ id, tool: Bash, input: { command: "sed" }, signal });
  followed?.allowed();
  change();
  followed?.close({ ran: true });
  return files.scanNow({ tool: Bash.name, callIds: [id] });
}

function said(session: SessionManager, text: string): EntryId {
  return session.appendMessage({ role: "user", content: text, timestamp: 0 });
}

function told(session: SessionManager) {
  return session.getBranch().flatMap((entry): unknown[] => {
    if (entry.type === "message") return [(entry.message as { content: unknown }).content];
    if (entry.type !== "custom" || entry.customType !== FILES_TYPE) return [];
    const { by, tool, callIds } = filesRecord(entry.data) ?? { by: "?" };
    return [{ by, tool, callIds }];
  });
}

test("files of another agent's calls are recorded below the results, and front ends are told then", async () => {
  const { session, events, open, write, read } = place();
  const files = open(session);
  const prompt = said(session, "do it");
  const one = await call(files, "1", () => write("one\n"));
  const two = await call(files, "2", () => write("two\n"));
  expect([told(session), events.filter(({ type }) => type === "files_changed")]).toEqual([["do it"], []]);
  const result = said(session, "result of 1");
  await files.recordScans([one as FilesScan]);
  said(session, "result of 2");
  await files.recordScans([two as FilesScan]);
  expect(told(session)).toEqual([
    "do it",
    "result of 1",
    { by: "tool", tool: "Bash", callIds: ["1"] },
    "result of 2",
    { by: "tool", tool: "Bash", callIds: ["2"] },
  ]);
  const opened = await files.require();
  for (const [to, text] of [
    [result, "one\n"],
    [prompt, "start\n"],
  ] as const) {
    await opened.follow(to, { plan: await opened.plan(to), move: () => session.branch(to) });
    expect(read()).toBe(text);
  }
  await files.close();
  expect(events.filter(({ type }) => type === "notice" || type === "files_changed")).toMatchObject(
    [1, 1].map((count) => ({ type: "files_changed", by: "tool", count })),
  );
});

test("a call that changes nothing, and files that are not recorded, give no scan", async () => {
  const { session, open, write } = place();
  const files = open(session);
  expect(await call(files, "1", () => {})).toBeUndefined();
  await files.close();
  const elsewhere = new AgentFiles({ session, hooks: NO_HOOKS, cwd: "/", emit: () => {} }, { home: tempFolder() });
  expect(await call(elsewhere, "2", () => write("x\n"))).toBeUndefined();
  await elsewhere.recordScans([{ id: "x", records: [] }]);
  expect(session.getEntries()).toEqual([]);
});

test("what a killed process had scanned is recorded by the next one, as the call's", async () => {
  const { session, open, write, read } = place();
  said(session, "do it");
  // Never closed: as after a kill.
  const kept = JSON.stringify(await call(open(session), "1", () => write("one\n")));
  const file = session.getSessionFile() as string;
  const again = SessionManager.open(file);
  const files = open(again);
  said(again, "result of 1");
  await files.recordScans([JSON.parse(kept) as FilesScan]);
  await files.start();
  await files.beforePrompt();
  expect(told(again)).toEqual(["do it", "result of 1", { by: "tool", tool: "Bash", callIds: ["1"] }]);
  expect([read(), existsSync(file)]).toEqual(["one\n", true]);
  await files.close();
  again.close();
  session.close();
});
