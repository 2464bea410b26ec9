/** What an imported entry remembers of its records, so that the way back gives the same records. */
import { isDeepStrictEqual } from "node:util";
import type { SessionEntry } from "@bough/session/entry/index.js";
import { isRecord } from "@bough/session/text/index.js";
import type { JsonObject } from "./claude-record.js";

export interface ClaudeOriginRecord {
  readonly line: number;
  /** The record without its message and without the copy of a result that only the screen uses. */
  readonly record: JsonObject;
  /** The message without role and content. */
  readonly message: JsonObject;
  /** How many blocks of the entry come from this record. */
  readonly blocks: number;
  /** The content as it was, where the entry cannot say it. */
  readonly content?: unknown;
}

export interface ClaudeOrigin {
  readonly agent: "claude-code";
  /** Empty on the second and later entries of one record. */
  readonly records: readonly ClaudeOriginRecord[];
}

export type WithOrigin<Entry extends SessionEntry = SessionEntry> = Entry & { readonly origin?: ClaudeOrigin };

interface OriginFacts {
  readonly line: number;
  readonly blocks: number;
  /** What the writer would make of the entry: kept apart only if the record says something else. */
  readonly rebuilt: unknown;
}

export function originRecord(record: JsonObject, { line, blocks, rebuilt }: OriginFacts): ClaudeOriginRecord {
  const { message, toolUseResult: _screenCopy, ...envelope } = record;
  const { role: _role, content, ...rest } = isRecord(message) ? message : {};
  const same = isDeepStrictEqual(content, rebuilt);
  return { line, record: envelope, message: rest, blocks, ...(same ? {} : { content }) };
}

/** The origin of an entry that came from a Claude Code transcript. */
export function claudeOriginOf(entry: SessionEntry): ClaudeOrigin | undefined {
  const { origin } = entry as WithOrigin;
  return isRecord(origin) && origin.agent === "claude-code" && Array.isArray(origin.records) ? origin : undefined;
}
