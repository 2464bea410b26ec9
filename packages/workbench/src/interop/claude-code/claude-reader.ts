/** Reads Claude Code transcripts: main file, side chains and sub-agent files, as one tree. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import type { EntryId, SessionEntry } from "@bough/session/entry/index.js";
import { isRecord } from "@bough/session/text/index.js";
import type { ForeignReader, ForeignSession, ReadOptions } from "../contract.js";
import { isLaterGeneration } from "../conversion/program-version.js";
import { isConversationEntry, positionEntry, subagentTalk } from "../foreign-entry.js";
import { stringIn } from "../foreign-lines.js";
import type { RecordFate } from "../loss-report.js";
import { withKnownIds } from "./claude-call-ids.js";
import { entriesOf, type LoadedRecord } from "./claude-entries.js";
import { describeClaude, detectClaude, findClaude } from "./claude-places.js";
import { type ClaudePlan, planSession } from "./claude-plan.js";
import { isKnownType } from "./claude-record.js";
import { agentIdOfFile, type RecordSketch } from "./claude-sketch.js";
import { spilledFile, spilledPathIn } from "./claude-spilled.js";
import { lastEntryId, type Unit } from "./claude-unit.js";

export const claudeReader: ForeignReader = {
  agent: "claude-code",
  detect: async (path) => detectClaude(path),
  describe: async (path) => [describeClaude(path)],
  find: findClaude,
  read: readClaude,
};

async function* readClaude(source: ForeignSession, options: ReadOptions): AsyncGenerator<SessionEntry> {
  const plan = await planSession(source, options);
  const files = new RecordFiles(source);
  const context = { source, options, plan, files };
  let lastTalk: EntryId | undefined;
  let time = source.created.toISOString();
  try {
    for (const unit of parentsFirst(plan.units)) {
      options.signal?.throwIfAborted();
      for (const entry of unitEntries(unit, context)) {
        if (entry.timestamp > time) time = entry.timestamp;
        if (isConversationEntry(entry)) lastTalk = entry.id;
        yield entry;
      }
    }
  } finally {
    files.close();
  }
  if (plan.leaf === undefined) return;
  const leaf = lastEntryId(source.id, plan.leaf);
  if (leaf !== lastTalk) yield positionEntry(leaf, time, `${source.id} ${plan.records}`);
}

/** The major version of Claude Code that this reader supports. */
const GENERATION = 2;

interface ReadContext {
  readonly source: ForeignSession;
  readonly options: ReadOptions;
  readonly plan: ClaudePlan;
  readonly files: RecordFiles;
}

function unitEntries(unit: Unit, { source, options, plan, files }: ReadContext): readonly SessionEntry[] {
  const records = unit.records.map((record) => files.load(record));
  const parentId = unit.parent === undefined ? null : lastEntryId(source.id, unit.parent);
  for (const [at, record] of unit.records.entries()) {
    const { line, type } = record;
    const known = isKnownType(type);
    if (!known) options.report.nameUnknown(`record type ${type}`);
    const version = records[at]?.record.version;
    if (isLaterGeneration(version, GENERATION)) options.report.nameUnknown(`version ${version}`);
    const spilled = unit.kind === "results" ? spilledReason(source.path, records[at]) : undefined;
    const named = unit.kind !== "note" && hasMadeIds(records[at]) ? "its calls or results had no ids" : undefined;
    const reason = unit.reason ?? spilled ?? named ?? (known ? reasonOf(unit) : "unknown type");
    const file = source.files[record.file] as string;
    options.report.count(named === undefined ? fateOf(unit) : "converted", {
      file,
      line,
      type,
      reason,
    });
  }
  const entries = entriesOf({ session: source.id, path: source.path, unit, records, parentId, plan });
  // If a sub-agent's transcript was opened directly, it is the session itself.
  const isPart = unit.records[0]?.isSidechain === true && agentIdOfFile(source.path) === undefined;
  return isPart ? entries.map(subagentTalk) : entries;
}

/** Whether missing IDs were added to the record. */
function hasMadeIds(loaded: LoadedRecord | undefined): boolean {
  return isRecord(loaded?.value) && loaded.value !== loaded.record;
}

function spilledReason(path: string, loaded: LoadedRecord | undefined): string | undefined {
  const named = spilledPathIn(loaded?.record ?? {});
  if (named === undefined) return undefined;
  return spilledFile(path, named) === undefined
    ? "its full output was in a file that no longer exists"
    : "its full output is in a file named in the details of the result";
}

function fateOf(unit: Unit): RecordFate {
  if (unit.kind === "note") return "note";
  if (unit.kind === "compaction" || unit.kind === "title" || unit.kind === "shell") return "converted";
  return unit.records.length > 1 || unit.parts > 1 ? "converted" : "kept";
}

function reasonOf(unit: Unit): string | undefined {
  if (unit.kind === "assistant" && unit.records.length > 1) return "one answer in several records";
  if (unit.kind === "shell") return "a command the user ran";
  return unit.parts > 1 ? "several results in one record" : undefined;
}

/** Yields parents before children, otherwise in order. A parent loop is cut where it is entered. */
function* parentsFirst(units: readonly Unit[]): Generator<Unit> {
  for (const start of units) {
    const waiting: Unit[] = [];
    const onTheWay = new Set<Unit>();
    for (let unit: Unit | undefined = start; unit !== undefined && !unit.emitted; unit = unit.parent) {
      waiting.push(unit);
      onTheWay.add(unit);
      if (unit.parent === undefined || !onTheWay.has(unit.parent)) continue;
      unit.parent = undefined;
      unit.reason = "its parent chain loops";
    }
    for (let unit = waiting.pop(); unit !== undefined; unit = waiting.pop()) {
      unit.emitted = true;
      yield unit;
    }
  }
}

/** Bytes to read ahead: the next record requested is almost always the following one. */
const AHEAD = 1 << 18;

/** Keeps the files of a session open, to load records by offset. */
class RecordFiles {
  readonly #paths: readonly string[];
  readonly #open = new Map<number, { readonly handle: number; readonly size: number }>();
  #bytes = Buffer.alloc(0);
  /** The file and range that the bytes contain. */
  #held = { file: -1, from: 0, to: 0 };

  constructor(source: ForeignSession) {
    this.#paths = source.files;
  }

  load({ file, offset, length, line, time, key, results }: RecordSketch): LoadedRecord {
    const { from, to } = this.#held;
    if (this.#held.file !== file || offset < from || offset + length > to) this.#fetch(file, offset, length);
    const start = offset - this.#held.from;
    const end = Math.min(start + length, this.#held.to - this.#held.from);
    const value = valueIn(this.#bytes.toString("utf8", start, end));
    const record = isRecord(value) ? withKnownIds(value, key, results) : {};
    return { line, time: stringIn(record.timestamp) ?? time ?? "", record, value };
  }

  /** Reads at least this many bytes, or fewer if the file has become shorter. */
  #fetch(file: number, offset: number, length: number): void {
    const { handle, size } = this.#open.get(file) ?? this.#opened(file);
    const ahead = Math.min(AHEAD, size);
    if (this.#bytes.length < Math.max(length, ahead)) this.#bytes = Buffer.allocUnsafe(Math.max(length * 2, ahead));
    let got = 0;
    for (let more = 1; got < length && more > 0; got += more) {
      more = readSync(handle, this.#bytes, got, this.#bytes.length - got, offset + got);
    }
    this.#held = { file, from: offset, to: offset + got };
  }

  #opened(file: number): { readonly handle: number; readonly size: number } {
    const handle = openSync(this.#paths[file] as string, "r");
    const opened = { handle, size: fstatSync(handle).size };
    this.#open.set(file, opened);
    return opened;
  }

  close(): void {
    for (const { handle } of this.#open.values()) closeSync(handle);
    this.#open.clear();
  }
}

function valueIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The file was rewritten since the first pass, so keep the text as a note.
    return text;
  }
}
