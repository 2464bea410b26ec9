/** Writes a path as a Claude Code transcript that `claude --resume` can continue. */
import { join } from "node:path";
import type { EntryId, SessionEntry } from "@bough/session/entry/index.js";
import { isRecord } from "@bough/session/text/index.js";
import type { ForeignWriter, WritePlan, WriteRequest } from "../contract.js";
import { pairedSteps } from "../conversion/paired-steps.js";
import type { PathStep, PathSteps } from "../conversion/path-steps.js";
import { countOf, plannedLines, RepeatedIds } from "../conversion/planned-lines.js";
import { checkResumeFolder } from "../conversion/resume-folder.js";
import { isNote } from "../foreign-entry.js";
import { stringIn } from "../foreign-lines.js";
import { editedEntries } from "../import/edited-entries.js";
import { InteropError } from "../interop-error.js";
import { toAssistantContent, toResultBlock, toUserContent } from "./claude-blocks.js";
import { type BoundaryLinks, replacedCompactions, withWrittenNames } from "./claude-compaction.js";
import { addConverted, addMadeResult } from "./claude-conversions.js";
import { type ClaudeOrigin, type ClaudeOriginRecord, claudeOriginOf } from "./claude-origin.js";
import { claudeFolderName, claudeProjects } from "./claude-places.js";
import type { JsonObject } from "./claude-record.js";
import { ClaudeTranscript } from "./claude-transcript.js";

export const claudeWriter: ForeignWriter = { agent: "claude-code", planWrite: planClaudeWrite };

function planClaudeWrite(request: WriteRequest): WritePlan {
  const { cwd, places, newId } = request;
  checkResumeFolder("claude-code", cwd);
  const sessionId = newId();
  const ids = new RepeatedIds(newId);
  const path = pathOf(request);
  const found = new ClaudeTranscript({ sessionId, cwd, newId: ids.replay() });
  const count = countOf(recordsOf(found, path));
  if (count === 0) {
    throw new InteropError("nothing-to-write", "There is no conversation on this path", {
      hint: "Choose an entry that has a conversation above it.",
    });
  }
  const { settlements: settled, losses } = found;
  const records = (): Iterable<JsonObject> =>
    recordsOf(new ClaudeTranscript({ sessionId, cwd, newId: ids.replay(), settled }), path);
  // A longer name ends in a hash that only Claude Code can compute, but it finds sessions by ID in any folder.
  const folder = claudeFolderName(cwd) ?? `${cwd.replace(/[^A-Za-z0-9]/g, "-").slice(0, 200)}-bough`;
  return {
    agent: "claude-code",
    path: join(claudeProjects(places), folder, `${sessionId}.jsonl`),
    sessionId,
    lines: plannedLines(count, records),
    losses,
    resume: { command: ["claude", "--resume", sessionId], cwd },
  };
}

interface ClaudePath {
  readonly request: WriteRequest;
  readonly notes: "leave-out" | "keep";
  /** All entries of the path, including those omitted from the steps. */
  readonly ids: readonly EntryId[];
  readonly steps: PathSteps;
  readonly replaced: ReadonlySet<EntryId>;
}

/** Claude Code's own records stay in place. Missing results are added, unless notes are to be kept unchanged. */
function pathOf(request: WriteRequest): ClaudePath {
  const edited = editedEntries(request.entries);
  const notes = request.notes ?? (edited === request.entries ? "keep" : "leave-out");
  const paired = pairedSteps(edited, (entry) => claudeOriginOf(entry) !== undefined);
  const steps = request.notes === "keep" ? paired.withoutMade() : paired;
  const ids = Array.from(request.entries, ({ id }) => id);
  return { request, notes, ids, steps, replaced: replacedCompactions(steps) };
}

function* recordsOf(transcript: ClaudeTranscript, path: ClaudePath): Generator<JsonObject> {
  const { request, notes, ids, steps, replaced } = path;
  transcript.begin(ids);
  let at = -1;
  for (const { entry, kind } of steps) {
    at += 1;
    if (replaced.has(entry.id)) transcript.lose(entry.id, "an earlier summary", "left out: a later one replaces it");
    else if (kind === "made") addMadeResult(transcript, entry);
    else if (claudeOriginOf(entry) !== undefined) addOriginal(transcript, steps, at);
    else if (isNote(entry)) addNote(transcript, entry, notes);
    else addConverted(transcript, entry);
    yield* transcript.take();
  }
  transcript.finish(request.title);
  yield* transcript.take();
}

/**
 * Writes an entry that came from Claude Code, with the other entries of its records, as the original records: same
 * uuid, same content, and same parent if that is written.
 */
function addOriginal(transcript: ClaudeTranscript, steps: PathSteps, at: number): void {
  const { entry } = steps.at(at) as PathStep;
  const { records } = claudeOriginOf(entry) as ClaudeOrigin;
  let block = 0;
  const links = linksOf(transcript, entry);
  let uuid = "";
  for (const origin of records) {
    const content =
      origin.content ??
      contentOf(entry, { from: block, count: origin.blocks, following: () => entriesAfter(steps, at) });
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

/** What comes before a compaction. Must be called before its own records are written. */
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
  readonly following: () => Iterable<SessionEntry>;
}

function* entriesAfter(steps: PathSteps, at: number): Generator<SessionEntry> {
  for (let next = at + 1; next < steps.length; next++) yield (steps.at(next) as PathStep).entry;
}

function contentOf(entry: SessionEntry, { from, count, following }: Blocks): unknown {
  if (entry.type === "compaction") return entry.summary;
  if (entry.type === "custom_message") return toUserContent(entry.content);
  if (entry.type !== "message") return undefined;
  const { message } = entry;
  if (message.role === "assistant") return toAssistantContent(message.content.slice(from, from + count));
  if (message.role === "user") return toUserContent(message.content);
  if (message.role !== "toolResult") return undefined;
  const blocks = [toResultBlock(message)];
  if (blocks.length >= count) return blocks;
  for (const part of following()) {
    if (part.type !== "message" || claudeOriginOf(part)?.records.length !== 0) break;
    if (part.message.role === "toolResult") blocks.push(toResultBlock(part.message));
    else if (part.message.role === "user") blocks.push(...(toUserContent(part.message.content) as JsonObject[]));
    if (blocks.length >= count) break;
  }
  return blocks;
}

/**
 * Writes back a record that is a note here. System and progress records keep their place in the chain. Attachments are
 * written only if notes are kept, since Claude Code sends their text, including the system prompt, from the file.
 */
function addNote(transcript: ClaudeTranscript, entry: SessionEntry, notes: "leave-out" | "keep"): void {
  if (!isNote(entry)) return;
  const { agent, record } = entry.data;
  if (agent !== "claude-code" || !isRecord(record) || typeof record.uuid !== "string") return;
  if (transcript.isWritten(record.uuid)) return;
  if (notes === "keep" || record.type === "system" || record.type === "progress") {
    transcript.push(entry.id, record, stringIn(record.parentUuid));
    return;
  }
  transcript.lose(entry.id, `a record of type ${String(record.type)}`, "left out; Claude Code creates its own");
}
