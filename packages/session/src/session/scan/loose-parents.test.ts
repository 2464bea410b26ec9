import { appendFileSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { copySample } from "../../../../../test/support/copy-sample.js";
import { FIXTURES } from "../../../../../test/support/interop-source.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { SessionManager } from "../session-manager.js";

const time = "2026-02-24T10:00:00.000Z";

interface Line {
  readonly id: string;
  readonly parentId: string | null;
  readonly message: object;
}

const prompt = (text: string) => ({ role: "user", content: text, timestamp: 1 });
const call = (id: string) => ({
  role: "assistant",
  content: [{ type: "toolCall", id, name: "run", arguments: {} }],
  timestamp: 2,
});
const result = (id: string) => ({ role: "toolResult", toolCallId: id, toolName: "run", content: [], timestamp: 3 });

function written(lines: readonly Line[]): string {
  const file = join(tempFolder(), "session.jsonl");
  const header = { type: "session", version: 3, id: "the-session", timestamp: time, cwd: "/p" };
  const entries = lines.map(({ id, parentId, message }) => ({
    type: "message",
    id,
    parentId,
    timestamp: time,
    message,
  }));
  writeFileSync(file, [header, ...entries].map((line) => `${JSON.stringify(line)}\n`).join(""));
  return file;
}

const LINES: readonly Line[] = [
  { id: "a", parentId: "the-session", message: prompt("Go.") },
  { id: "b", parentId: "a", message: call("tc-1") },
  { id: "c", parentId: "tc-1", message: result("tc-1") },
  { id: "d", parentId: "c", message: call("tc-2") },
  { id: "e", parentId: "tc-2", message: result("tc-2") },
];

describe("parents that name a call or the session, as OpenClaw writes them", () => {
  it("lead to the answer with the call and to the start, and nothing is odd about them", () => {
    const session = SessionManager.open(written(LINES), undefined, { readOnly: true });
    expect([session.getBranchIds(), session.getLeafId()]).toEqual([["a", "b", "c", "d", "e"], "e"]);
    expect(session.getProblems()).toEqual([]);
    expect(session.buildSessionContext().messages.map(({ role }) => role)).toEqual([
      ...["user", "assistant", "toolResult", "assistant", "toolResult"],
    ]);
    session.close();
  });

  it("lead to the latest answer before the entry where a call is there twice", () => {
    const twice = [
      ...LINES,
      { id: "f", parentId: "a", message: call("tc-1") },
      { id: "g", parentId: "tc-1", message: result("tc-1") },
    ];
    const session = SessionManager.open(written(twice), undefined, { readOnly: true });
    expect([session.getBranchIds("c"), session.getBranchIds("g")]).toEqual([
      ["a", "b", "c"],
      ["a", "f", "g"],
    ]);
    session.close();
  });

  it("are found in what is added to an open session", () => {
    const file = written(LINES.slice(0, 3));
    const session = SessionManager.open(file, undefined, { readOnly: true });
    for (const { id, parentId, message } of LINES.slice(3)) {
      appendFileSync(file, `${JSON.stringify({ type: "message", id, parentId, timestamp: time, message })}\n`);
    }
    session.refresh();
    expect([session.getBranchIds("e"), session.getProblems()]).toEqual([["a", "b", "c", "d", "e"], []]);
    session.close();
  });

  it("are the entries themselves in a copy of the path, which is in order everywhere", () => {
    const session = SessionManager.open(written(LINES));
    const copy = session.createBranchedSession("e") as string;
    const opened = SessionManager.open(copy, undefined, { readOnly: true });
    expect(opened.getBranch().map(({ parentId }) => parentId)).toEqual([null, "a", "b", "c", "d"]);
    expect(opened.getProblems()).toEqual([]);
    opened.close();
    session.close();
  });

  it("that name nothing in the file are reported as before, and a ring is cut", () => {
    const lines = [
      { id: "a", parentId: null, message: prompt("Go.") },
      { id: "b", parentId: "tc-2", message: call("tc-1") },
      { id: "c", parentId: "tc-9", message: result("tc-9") },
      { id: "d", parentId: "tc-1", message: call("tc-2") },
    ];
    const session = SessionManager.open(written(lines), undefined, { readOnly: true });
    expect(session.getProblems().map(({ code, entryId }) => [code, entryId])).toEqual([
      ["missing-parent", "b"],
      ["missing-parent", "c"],
    ]);
    expect(session.getBranchIds("d")).toEqual(["b", "d"]);
    session.close();
  });

  const sample = join(FIXTURES, "foreign/pi/openclaw-large.jsonl");
  it.skipIf(!existsSync(sample))("keep the prompt of OpenClaw's own sample on the path", () => {
    const file = join(tempFolder(), "openclaw.jsonl");
    copySample(sample, file);
    const session = SessionManager.open(file, undefined, { readOnly: true });
    expect(session.getBranchIds()).toEqual(["m1", "m2", "m3", "m4", "m5", "m6"]);
    session.close();
  });
});
