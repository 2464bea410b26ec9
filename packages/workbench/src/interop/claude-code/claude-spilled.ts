/**
 * Outputs too long for the transcript: Claude Code stores them in files next to it, and the result has only the start.
 */
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { isRecord } from "@bough/session/text/index.js";
import { stringIn } from "../foreign-lines.js";
import { blocksIn, type JsonObject, textIn } from "./claude-record.js";

/** The path of the full output that a record names; undefined if the record contains it. */
export function spilledPathIn(record: JsonObject): string | undefined {
  const named = isRecord(record.toolUseResult) ? stringIn(record.toolUseResult.persistedOutputPath) : undefined;
  if (named !== undefined) return named;
  const content = isRecord(record.message) ? record.message.content : undefined;
  for (const block of blocksIn(content)) {
    const text = block.type === "tool_result" ? textIn(block.content) : "";
    const path = text.startsWith("<persisted-output>") ? SAVED_TO.exec(text)?.[1] : undefined;
    if (path !== undefined) return path;
  }
  return undefined;
}

const SAVED_TO = /saved to: (.+)$/m;

/** The file with the full output: next to the transcript, in case both were moved, or at the named path. */
export function spilledFile(transcript: string, named: string): string | undefined {
  const beside = join(transcript.replace(/\.jsonl$/, ""), "tool-results", basename(named));
  return [beside, named].find((path) => existsSync(path));
}
