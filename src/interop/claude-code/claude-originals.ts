/** Entries that came from Claude Code, as the records they were. */
import type { SessionEntry } from "../../entry/index.js";
import { isRecord } from "../../text/index.js";
import type { PathStep, PathSteps } from "../conversion/path-steps.js";
import { isNote } from "../foreign-entry.js";
import { stringIn } from "../foreign-lines.js";
import { toAssistantContent, toResultBlock, toUserContent } from "./claude-blocks.js";
import { type BoundaryLinks, withWrittenNames } from "./claude-compaction.js";
import { type ClaudeOrigin, type ClaudeOriginRecord, claudeOriginOf } from "./claude-origin.js";
import type { JsonObject } from "./claude-record.js";
import type { ClaudeTranscript } from "./claude-transcript.js";

/**
 * Adds the entry at `at` of a path, with its further parts after it.
 *
 * The same uuid, the same content, and the same parent as far as that one is written too.
 */
export function addOriginal(transcript: ClaudeTranscript, steps: PathSteps, at: number): void {
  const { entry } = steps.at(at) as PathStep;
  const { records } = claudeOriginOf(entry) as ClaudeOrigin;
  let block = 0;
  const links = linksOf(transcript, entry);
  let uuid = "";
  for (const origin of records) {
    const content =
      origin.content ?? contentOf(entry, { from: block, count: origin.blocks, behind: () => stepsBehind(steps, at) });
    block += origin.blocks;
    const { record } = origin;
    const message = record.type === "system" ? {} : { message: messageOf(record, origin, content) };
    const parent = isBoundary(record) ? null : stringIn(record.parentUuid);
    uuid = transcript.push(entry.id, { ...record, ...message, ...screenCopy(entry) }, parent);
  }
  const boundary = records.find(({ record }) => isBoundary(record))?.record.uuid;
  if (typeof boundary !== "string") return;
  const settled = { ...links, summary: uuid };
  transcript.settleLater(boundary, (record) => withWrittenNames(record, settled));
}

function isBoundary({ subtype }: JsonObject): boolean {
  return subtype === "compact_boundary";
}

/** What is before a compaction, asked before its own records are written. */
function linksOf(transcript: ClaudeTranscript, entry: SessionEntry): Omit<BoundaryLinks, "summary"> {
  const keptFrom = entry.type === "compaction" ? entry.firstKeptEntryId : undefined;
  const kept = keptFrom === undefined ? [] : transcript.uuidsFrom(keptFrom);
  return { last: transcript.last, kept, isWritten: (uuid) => transcript.isWritten(uuid) };
}

function messageOf(record: JsonObject, origin: ClaudeOriginRecord, content: unknown): JsonObject {
  return { role: record.type === "assistant" ? "assistant" : "user", ...origin.message, content };
}

function screenCopy(entry: SessionEntry): JsonObject {
  if (entry.type !== "message" || entry.message.role !== "toolResult") return {};
  const { details } = entry.message;
  return isRecord(details) && details.toolUseResult !== undefined ? { toolUseResult: details.toolUseResult } : {};
}

interface Blocks {
  readonly from: number;
  readonly count: number;
  /** The entries after it. */
  readonly behind: () => Iterable<SessionEntry>;
}

function* stepsBehind(steps: PathSteps, at: number): Generator<SessionEntry> {
  for (let next = at + 1; next < steps.length; next++) yield (steps.at(next) as PathStep).entry;
}

function contentOf(entry: SessionEntry, { from, count, behind }: Blocks): unknown {
  if (entry.type === "compaction") return entry.summary;
  if (entry.type === "custom_message") return toUserContent(entry.content);
  if (entry.type !== "message") return undefined;
  const { message } = entry;
  if (message.role === "assistant") return toAssistantContent(message.content.slice(from, from + count));
  if (message.role === "user") return toUserContent(message.content);
  if (message.role !== "toolResult") return undefined;
  const blocks = [toResultBlock(message)];
  if (blocks.length >= count) return blocks;
  for (const part of behind()) {
    if (part.type !== "message" || claudeOriginOf(part)?.records.length !== 0) break;
    if (part.message.role === "toolResult") blocks.push(toResultBlock(part.message));
    else if (part.message.role === "user") blocks.push(...(toUserContent(part.message.content) as JsonObject[]));
    if (blocks.length >= count) break;
  }
  return blocks;
}

/**
 * Adds a record that is a note here. What the program says of its own accord stays in its place in the chain; attachments
 * do not unless asked for, because it would send their text, system prompt included, from the file. It makes fresh ones.
 */
export function addNote(transcript: ClaudeTranscript, entry: SessionEntry, notes: "leave-out" | "keep"): void {
  if (!isNote(entry)) return;
  const { agent, record } = entry.data;
  if (agent !== "claude-code" || !isRecord(record) || typeof record.uuid !== "string") return;
  if (transcript.isWritten(record.uuid)) return;
  if (notes === "keep" || record.type === "system" || record.type === "progress") {
    transcript.push(entry.id, record, stringIn(record.parentUuid));
    return;
  }
  transcript.lose(entry.id, `a record of type ${String(record.type)}`, "left out; the program makes its own");
}
