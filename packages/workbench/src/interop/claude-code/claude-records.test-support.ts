/** Builds transcripts of Claude Code from a few records. */
import { join } from "node:path";
import { convertFile, writeRecords } from "../../../../../test/support/interop-source.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { claudeReader } from "./claude-reader.js";

/** Writes records to a file. By default each has a uuid, a time, and the record before as its parent. */
export async function convertRecords(records: readonly Readonly<Record<string, unknown>>[]) {
  const path = join(tempFolder(), "11111111-2222-4333-8444-555555555555.jsonl");
  let previous: unknown = null;
  const lines = records.map((record, at) => {
    const chained = {
      uuid: `u${at}`,
      parentUuid: previous,
      timestamp: `2026-01-01T00:00:${String(at).padStart(2, "0")}.000Z`,
    };
    const whole = { ...chained, sessionId: "s", ...record };
    if (typeof whole.uuid === "string") previous = whole.uuid;
    return JSON.stringify(whole);
  });
  writeRecords(path, lines);
  return convertFile(claudeReader, path);
}

export const user = (text: string) => ({ type: "user", message: { role: "user", content: text } });
export const answer = (id: string, ...content: unknown[]) => ({
  type: "assistant",
  message: { id, role: "assistant", model: "m", content, usage: { input_tokens: 1, output_tokens: 2 } },
});
export const call = (id: string) => ({ type: "tool_use", id, name: "Read", input: { file_path: id } });
export const result = (id: string) => ({
  type: "user",
  message: { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: `of ${id}` }] },
});
export const text = (words: string) => ({ type: "text", text: words });
