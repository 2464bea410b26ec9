import type { SessionEntry } from "@bough/session/entry/index.js";
import { describe, expect, test } from "vitest";
import { LeftOut } from "./left-out.js";

const NOTHING = { images: false, toolOutputs: false, systemPrompts: false };
const EVERYTHING = { images: true, toolOutputs: true, systemPrompts: true };
const IMAGE = { type: "image", data: "AAAA", mimeType: "image/png" } as const;
const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 };

function entry(message: object): SessionEntry {
  return { type: "message", id: "a", parentId: null, timestamp: "2026-01-01T00:00:00.000Z", message } as SessionEntry;
}

describe("an export leaves out", () => {
  const prompt = entry({ role: "user", content: [{ type: "text", text: "look" }, IMAGE], timestamp: 1 });
  const result = entry({
    ...{ role: "toolResult", toolCallId: "1", toolName: "bash", isError: false, timestamp: 1 },
    content: [{ type: "text", text: "secret output" }],
    details: { command: "cat secret" },
  });
  const answer = entry({
    ...{ role: "assistant", api: "x", provider: "p", model: "m", usage, stopReason: "toolUse", timestamp: 1 },
    content: [
      { type: "text", text: "I look" },
      { type: "toolCall", id: "1", name: "bash", arguments: { command: "cat secret" } },
    ],
  });
  const system = entry({ role: "system", content: "be kind", timestamp: 1 });

  test("nothing, unless asked to", () => {
    const leftOut = new LeftOut(NOTHING);
    for (const one of [prompt, result, answer, system]) expect(leftOut.apply(one)).toEqual(one);
    expect({ ...leftOut }).toEqual({ images: 0, toolOutputs: 0, systemPrompts: 0, originals: 0 });
  });

  test("images, outputs with their details, arguments and system prompts; each entry keeps its place", () => {
    const leftOut = new LeftOut(EVERYTHING);
    const text = JSON.stringify([prompt, result, answer, system].map((one) => leftOut.apply(one)));
    for (const gone of ["AAAA", "secret", "be kind"]) expect(text).not.toContain(gone);
    for (const kept of ["look", "I look", "bash"]) expect(text).toContain(kept);
    expect(leftOut.apply(result)).toMatchObject({
      id: "a",
      message: { toolCallId: "1", toolName: "bash", isError: false },
    });
    expect({ ...leftOut }).toEqual({ images: 1, toolOutputs: 2, systemPrompts: 1, originals: 0 });
  });

  test("nothing of entries that are not messages, or of damaged messages", () => {
    const leftOut = new LeftOut(EVERYTHING);
    const label = { type: "label", id: "l", parentId: "a", timestamp: "", targetId: "a", label: "x" } as SessionEntry;
    for (const odd of [label, entry(null as unknown as object), entry({ role: "user", content: 7 })]) {
      expect(leftOut.apply(odd)).toEqual(odd);
    }
  });
});

describe("the original records of another agent", () => {
  const origin = { agent: "claude-code", records: [{ line: 1, record: { content: "be kind" } }] };
  const message = { role: "toolResult", toolCallId: "1", toolName: "Read", isError: false, timestamp: 1, content: [] };
  const screen = { toolUseResult: { file: { base64: "AAAA" } }, subagent: "b" };
  const result = { ...entry({ ...message, details: screen }), origin } as unknown as SessionEntry;
  const note = {
    ...{ type: "custom", id: "n", parentId: null, timestamp: "2026-01-01T00:00:00.000Z", customType: "bough.import" },
    data: { agent: "claude-code", type: "attachment", line: 4, record: { attachment: "be kind" } },
  } as SessionEntry;
  const source = { ...note, customType: "bough.origin", data: { agent: "codex", id: "a", path: "/home/me/x" } };
  const summary = {
    ...{ type: "compaction", id: "c", parentId: null, timestamp: "2026-01-01T00:00:00.000Z" },
    ...{ summary: "so far", firstKeptEntryId: "c", tokensBefore: 1, details: { origin: { id: "msg" }, kept: 1 } },
  } as SessionEntry;

  test("are removed if anything is left out, and the links between entries stay", () => {
    const leftOut = new LeftOut({ ...NOTHING, systemPrompts: true });
    const applied = [result, note, source as SessionEntry, summary].map((one) => leftOut.apply(one));
    expect(applied).toEqual([
      entry({ ...message, details: { subagent: "b" } }),
      { ...note, data: { agent: "claude-code", type: "attachment", line: 4 } },
      { ...source, data: { agent: "codex" } },
      { ...summary, details: { kept: 1 } },
    ]);
    expect(leftOut.originals).toBe(4);
  });

  test("stay if nothing is left out", () => {
    const leftOut = new LeftOut(NOTHING);
    expect([leftOut.apply(result), leftOut.apply(note), leftOut.originals]).toEqual([result, note, 0]);
  });
});
