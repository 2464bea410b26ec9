/** What an imported entry remembers about its records, so that writing it back yields the same ones. */
import { isDeepStrictEqual } from "node:util";
import type { SessionEntry } from "@bough/session/entry/index.js";
import { isRecord } from "@bough/session/text/index.js";
import type { JsonObject } from "./claude-record.js";

export interface ClaudeOriginRecord {
  readonly line: number;
  /** The record without its message, and without the copy of a result that is only for display. */
  readonly record: JsonObject;
  /** The message without role and content. */
  readonly message: JsonObject;
  /** Number of the entry's blocks that come from this record. */
  readonly blocks: number;
  /** The original content, if the entry cannot reproduce it. */
  readonly content?: unknown;
}

export interface ClaudeOrigin {
  readonly agent: "claude-code";
  /** Empty for the second and later entries of one record. */
  readonly records: readonly ClaudeOriginRecord[];
}

export type WithOrigin<Entry extends SessionEntry = SessionEntry> = Entry & { readonly origin?: ClaudeOrigin };

interface OriginFacts {
  readonly line: number;
  readonly blocks: number;
  /** What the writer would generate from the entry. The original is stored only if it differs. */
  readonly rebuilt: unknown;
}

export function originRecord(record: JsonObject, { line, blocks, rebuilt }: OriginFacts): ClaudeOriginRecord {
  const { message, toolUseResult: _screenCopy, ...envelope } = record;
  const { role: _role, content, ...rest } = isRecord(message) ? message : {};
  const same = isDeepStrictEqual(content, rebuilt);
  return { line, record: envelope, message: rest, blocks, ...(same ? {} : { content }) };
}

/** The origin of an entry from a Claude Code transcript; undefined for any other. */
export function claudeOriginOf(entry: SessionEntry): ClaudeOrigin | undefined {
  const { origin } = entry as WithOrigin;
  return isRecord(origin) && origin.agent === "claude-code" && Array.isArray(origin.records) ? origin : undefined;
}
