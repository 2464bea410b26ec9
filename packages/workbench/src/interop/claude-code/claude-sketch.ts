/** The first pass over a transcript: where each record is and what it links to, without keeping its content. */
import { readFileSync } from "node:fs";
import { basename, dirname, relative } from "node:path";
import { isRecord, parsedJson } from "@bough/session/text/index.js";
import type { ForeignSession, ReadOptions } from "../contract.js";
import { foreignLines, objectIn, stringIn, withoutMark } from "../foreign-lines.js";
import { TORN_LINE, UNREADABLE_LINE } from "../loss-report.js";
import { MissingCallIds } from "./claude-call-ids.js";
import {
  agentIdIn,
  type CallSketch,
  type ClaudeKind,
  callsIn,
  type JsonObject,
  kindOfRecord,
  preservedIn,
  resultIdsIn,
  runIn,
  textIn,
} from "./claude-record.js";

/** What is kept about a record: as little as the tree needs, since there can be a million of them. */
export interface RecordSketch {
  /** Index of the file in the source; the next fields are the place in it. */
  readonly file: number;
  readonly line: number;
  readonly offset: number;
  readonly length: number;
  /** The number of earlier imports that had not seen it. No entry spans two segments. */
  readonly segment: number;
  readonly kind: ClaudeKind;
  readonly type: string;
  /** Identifies the record: its uuid, or else its place. */
  readonly key: string;
  readonly hasUuid: boolean;
  /** Whether the record has an explicit `null` parent. */
  readonly isRoot: boolean;
  parentUuid: string | undefined;
  /** Set only if the record itself has no time. */
  readonly time: string | undefined;
  readonly isSidechain: boolean;
  readonly results: readonly string[];
  /** Number of entries that a user record becomes. */
  readonly parts: number;
  readonly more: RareFields | undefined;
}

/** Fields that few records have. */
interface RareFields {
  /** For a result, the sub-agent it mentions; for a sub-agent's record, the sub-agent. */
  readonly agentId: string | undefined;
  /** For a result, the workflow run it mentions. */
  readonly run: string | undefined;
  /** For the root of a side chain, the sub-agent's prompt. */
  readonly prompt: string | undefined;
  readonly compaction: CompactionSketch | undefined;
  /** For `last-prompt` and `summary`, the record they refer to. */
  readonly leafUuid: string | undefined;
  readonly startTime: string | undefined;
}

/** A sketch, with data that is only needed during the first pass. */
export interface ScannedRecord {
  readonly record: RecordSketch;
  readonly calls: readonly CallSketch[];
  /** Shared by all records of one answer. */
  readonly answer: string | undefined;
}

interface CompactionSketch {
  readonly logicalParent: string | undefined;
  /** The kept records in order: all of them, or only the first and the last. */
  readonly kept: readonly string[];
  readonly names: "all" | "ends";
}

/** Every readable record of every file, in order. Lines that are not JSON are only counted in the report. */
export function* sketchRecords(source: ForeignSession, options: ReadOptions): Generator<ScannedRecord> {
  const base = dirname(source.path);
  for (const [file, path] of source.files.entries()) {
    const cuts = options.cuts?.get(path) ?? [];
    const agentFile = agentIdOfFile(path);
    let time = source.created.toISOString();
    let ordinal = 0;
    const missingIds = new MissingCallIds();
    const lastUuids = new Map<unknown, string>();
    for (const { line, offset, length, text, terminated } of foreignLines(path)) {
      options.signal?.throwIfAborted();
      ordinal += 1;
      const read = recordIn(text);
      if (read === undefined) {
        const type = terminated ? UNREADABLE_LINE : TORN_LINE;
        options.report.count("reported", { file: path, line, type });
        continue;
      }
      time = stringIn(read.timestamp) ?? time;
      const segment = segmentOf(ordinal, cuts);
      const key = stringIn(read.uuid) ?? `${file === 0 ? "" : relative(base, path)}:${line}`;
      const record = missingIds.fill(withParent(read, lastUuids), key);
      yield scanned(record, {
        file,
        line,
        offset,
        length,
        time,
        segment,
        key,
        agentFile: file === 0 ? undefined : agentFile,
      });
    }
  }
}

/**
 * A record without a `parentUuid` field follows the record written before it (of the same sub-agent, if it belongs to
 * one). `null` means that it is a root.
 */
function withParent(record: JsonObject, lastUuids: Map<unknown, string>): JsonObject {
  if (typeof record.uuid !== "string") return record;
  const lane = record.isSidechain === true ? record.agentId : MAIN_LINE;
  const parentUuid = lastUuids.get(lane);
  lastUuids.set(lane, record.uuid);
  return record.parentUuid !== undefined || parentUuid === undefined ? record : { ...record, parentUuid };
}

const MAIN_LINE = Symbol("main line");

/** A line that is JSON but not an object is still a record, without a type. */
function recordIn(text: string): JsonObject | undefined {
  const value = parsedJson(withoutMark(text));
  // Lines that are not JSON are counted by the caller.
  return isRecord(value) ? value : value === undefined ? undefined : {};
}

function segmentOf(ordinal: number, cuts: readonly number[]): number {
  let segment = 0;
  while (segment < cuts.length && ordinal > (cuts[segment] as number)) segment += 1;
  return segment;
}

interface SketchPlace extends Pick<RecordSketch, "file" | "line" | "offset" | "length" | "segment" | "key"> {
  readonly time: string;
  readonly agentFile: string | undefined;
}

/** Shared empty arrays, to save memory. */
const NO_RESULTS: readonly string[] = [];
const NO_CALLS: readonly CallSketch[] = [];

function scanned(record: JsonObject, place: SketchPlace): ScannedRecord {
  const { file, line, offset, length, segment, key } = place;
  const kind = kindOfRecord(record);
  const message = isRecord(record.message) ? record.message : undefined;
  const results = kind === "results" ? resultIdsIn(message?.content) : NO_RESULTS;
  const answer = kind === "assistant" ? stringIn(message?.id) : undefined;
  const sketch = {
    file,
    line,
    offset,
    length,
    segment,
    kind,
    type: stringIn(record.type) ?? "(no type)",
    key,
    hasUuid: typeof record.uuid === "string",
    isRoot: record.parentUuid === null,
    parentUuid: stringIn(record.parentUuid),
    time: typeof record.timestamp === "string" ? undefined : place.time,
    isSidechain: record.isSidechain === true || place.agentFile !== undefined,
    results,
    parts: results.length + (kind === "results" && hasMoreThanResults(message?.content) ? 1 : 0),
    more: rareFields(record, kind, place),
  };
  return {
    record: sketch,
    calls: kind === "assistant" ? callsIn(message?.content) : NO_CALLS,
    answer: answer === undefined ? undefined : `${answer} ${stringIn(record.requestId) ?? ""}`,
  };
}

function rareFields(record: JsonObject, kind: ClaudeKind, { agentFile, time }: SketchPlace): RareFields | undefined {
  const isSidechain = record.isSidechain === true;
  const own = agentFile ?? (isSidechain ? stringIn(record.agentId) : undefined);
  const agentId = kind === "results" ? agentIdIn(record) : own;
  const run = kind === "results" ? runIn(record) : undefined;
  const isRoot = (isSidechain || agentFile !== undefined) && typeof record.parentUuid !== "string";
  const compaction = kind === "boundary" ? compactionIn(record) : undefined;
  const leafUuid = stringIn(record.leafUuid);
  const isPlain = agentId === undefined && run === undefined && compaction === undefined && leafUuid === undefined;
  if (isPlain && !isRoot) return undefined;
  const prompt = isRoot && isRecord(record.message) ? textIn(record.message.content) : undefined;
  return { agentId, run, prompt, compaction, leafUuid, startTime: isRoot ? time : undefined };
}

function hasMoreThanResults(content: unknown): boolean {
  return Array.isArray(content) && content.some((block) => !isRecord(block) || block.type !== "tool_result");
}

function compactionIn(record: JsonObject): CompactionSketch {
  const { head, tail, listed } = preservedIn(record);
  const ends = [head, tail].filter((uuid) => uuid !== undefined);
  const logicalParent = stringIn(record.logicalParentUuid);
  return listed.length > 0
    ? { logicalParent, kept: listed, names: "all" }
    : { logicalParent, kept: ends, names: "ends" };
}

/** The ID of the sub-agent in a file name. */
export function agentIdOfFile(path: string): string | undefined {
  return /^agent-(.+)\.jsonl$/.exec(basename(path))?.[1];
}

/** The metadata file next to a sub-agent's transcript; empty if it is missing or unreadable. */
export function agentMetaOf(path: string): { readonly toolUseId: string | undefined; readonly meta: unknown } {
  try {
    const meta = objectIn(readFileSync(path.replace(/\.jsonl$/, ".meta.json"), "utf8"));
    return { toolUseId: stringIn(meta?.toolUseId), meta };
  } catch {
    // Older versions write no such file; then the call's result names the sub-agent.
    return { toolUseId: undefined, meta: undefined };
  }
}
