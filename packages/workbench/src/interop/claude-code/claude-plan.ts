/**
 * Turns records into a tree: groups the records that belong together, and finds the parent of each group.
 *
 * The links of a transcript are almost a tree of entries, but not quite: an answer has one record per block, results of
 * parallel calls have different blocks as parents, a compaction is two records and a jump, and parents can be missing.
 * Only sketches are kept, so memory use depends on the number of records, not on their size.
 */
import { dirname, relative } from "node:path";
import { WorkTurns } from "@bough/session/log/index.js";
import type { ForeignSession, ReadOptions } from "../contract.js";
import { AgentUnits } from "./claude-agents.js";
import { type Call, KnownCalls } from "./claude-calls.js";
import { afterKept, pathBelow, sortKept } from "./claude-kept.js";
import { LeafFinder } from "./claude-leaf.js";
import type { CallSketch } from "./claude-record.js";
import { type RecordSketch, type ScannedRecord, sketchRecords } from "./claude-sketch.js";
import { attachPoint, type Unit, type UnitKind, unitOf } from "./claude-unit.js";

export interface ClaudePlan {
  /** In file order. */
  readonly units: readonly Unit[];
  /** The current position of the conversation; undefined if there is none. */
  readonly leaf: Unit | undefined;
  /** The call that a result answers: the nearest above it, if several have its ID. */
  callOf(result: Unit, id: string): Call | undefined;
  /** Sub-agents by ID, and by the call that started them. */
  readonly agents: ReadonlyMap<string, Unit>;
  readonly agentsByCall: ReadonlyMap<string, Unit>;
  readonly records: number;
}

export async function planSession(source: ForeignSession, options: ReadOptions): Promise<ClaudePlan> {
  const planner = new Planner(source);
  const turns = new WorkTurns();
  for (const scanned of sketchRecords(source, options)) {
    planner.add(scanned);
    if (turns.isDue) await turns.yieldNow();
  }
  return planner.finish();
}

class Planner {
  readonly #source: ForeignSession;
  readonly #units: Unit[] = [];
  /** All records and, in a parallel array, the unit of each. */
  readonly #records: RecordSketch[] = [];
  readonly #unitOfRecord: Unit[] = [];
  readonly #byUuid = new Map<string, Unit>();
  readonly #answers = new Map<string, Unit>();
  readonly #calls = new KnownCalls((uuid) => this.#byUuid.get(uuid));
  readonly #agents: AgentUnits;
  readonly #leaf = new LeafFinder();

  constructor(source: ForeignSession) {
    this.#source = source;
    this.#agents = new AgentUnits(source, this.#calls);
  }

  /** Adds a record. Links are resolved at the end, when all records are known. */
  add({ record, calls, answer }: ScannedRecord): void {
    this.#shareParent(record);
    const unit = this.#unitFor(record, answer, calls);
    // A record with a duplicate uuid was replaced by one with another key.
    this.#records.push(unit.records.at(-1) ?? record);
    this.#unitOfRecord.push(unit);
    if (record.hasUuid && !this.#byUuid.has(record.key)) this.#byUuid.set(record.key, unit);
    for (const call of calls) if (this.#calls.add(call, unit)) this.#agents.seeCall(call);
    this.#agents.seeResult(record);
    this.#leaf.see(record, unit);
  }

  /** Every uuid occurs in its record and again in its child: share one string to save memory. */
  #shareParent(record: RecordSketch): void {
    const parent = record.parentUuid === undefined ? undefined : this.#byUuid.get(record.parentUuid);
    const named = parent?.records.find(({ key }) => key === record.parentUuid);
    if (named !== undefined) record.parentUuid = named.key;
  }

  finish(): ClaudePlan {
    this.#joinCompactions();
    this.#sortTitles();
    this.#groupResults();
    this.#linkParents();
    return {
      units: this.#units,
      leaf: this.#leaf.find((uuid) => this.#byUuid.get(uuid)),
      callOf: (result, id) => this.#calls.nearest(result, id),
      agents: this.#agents.byId,
      agentsByCall: this.#agents.byCall(),
      records: this.#records.length,
    };
  }

  #unitFor(record: RecordSketch, answer: string | undefined, calls: readonly CallSketch[]): Unit {
    if (record.hasUuid && this.#byUuid.has(record.key)) {
      const again = unitOf("note", { ...record, key: this.#placeOf(record) });
      again.reason = "the same uuid appears earlier";
      this.#units.push(again);
      return again;
    }
    if (answer !== undefined) {
      const key = `${record.segment} ${record.file} ${answer}`;
      const started = this.#answers.get(key);
      // Some local servers restart the numbers of answers and calls at 0.
      const isRepeat = started !== undefined && calls.some(({ id }) => this.#calls.isIn(started, id));
      if (started !== undefined && !isRepeat && this.#continues(record, started)) {
        started.records.push(record);
        return started;
      }
      const unit = unitOf("assistant", record);
      this.#answers.set(key, unit);
      this.#units.push(unit);
      return unit;
    }
    const shell = record.kind === "output" ? this.#byUuid.get(record.parentUuid ?? "") : undefined;
    if (shell?.kind === "shell" && shell.segment === record.segment && shell.records.length === 1) {
      shell.records.push(record);
      return shell;
    }
    const unit = unitOf(firstKind(record), record);
    this.#units.push(unit);
    return unit;
  }

  #placeOf({ file, line }: RecordSketch): string {
    const { path, files } = this.#source;
    return `${relative(dirname(path), files[file] as string)}:${line}`;
  }

  /** Whether a record continues an answer: only notes and results are between it and a record of the answer. */
  #continues(record: RecordSketch, answer: Unit): boolean {
    let above = record.parentUuid;
    for (let steps = 0; above !== undefined && steps < MANY_STEPS; steps++) {
      const unit = this.#byUuid.get(above);
      if (unit === answer) return true;
      if (unit === undefined || (unit.kind !== "note" && unit.kind !== "results")) return false;
      above = unit.records[0]?.parentUuid;
    }
    return false;
  }

  /**
   * Joins a boundary and the summary below it into one unit. A summary without a boundary becomes a unit of its own.
   */
  #joinCompactions(): void {
    const absorbed = new Set<Unit>();
    for (const [at, record] of this.#records.entries()) {
      const unit = this.#unitOfRecord[at] as Unit;
      if (record.kind !== "summary" || unit.reason !== undefined) continue;
      const boundary = record.parentUuid === undefined ? undefined : this.#byUuid.get(record.parentUuid);
      const first = boundary?.records[0];
      if (boundary?.kind === "note" && first?.kind === "boundary" && boundary.segment === unit.segment) {
        boundary.kind = "compaction";
        boundary.key = unit.key;
        boundary.records.push(record);
        absorbed.add(unit);
        if (record.hasUuid) this.#byUuid.set(record.key, boundary);
        this.#unitOfRecord[at] = boundary;
        this.#leaf.replace(unit, boundary);
      } else {
        unit.kind = "compaction";
      }
    }
    if (absorbed.size === 0) return;
    const left = this.#units.filter((unit) => !absorbed.has(unit));
    this.#units.length = 0;
    for (const unit of left) this.#units.push(unit);
  }

  /** Turns titles into notes if they belong to another session, or if the user had given a name before. */
  #sortTitles(): void {
    let given = false;
    for (const unit of this.#units) {
      const record = unit.records[0];
      if (unit.kind !== "title" || record === undefined) continue;
      if (record.type === "custom-title") given = true;
      else if (given) unit.reason = "the user had already named the session";
      if (record.type === "summary" && this.#known(record.more?.leafUuid ?? "", unit.segment) === undefined) {
        unit.reason = "the title of another session";
      }
      if (unit.reason !== undefined) unit.kind = "note";
    }
  }

  /** Puts the results of one answer in a row. A second result for the same call is a retry and starts a new row. */
  #groupResults(): void {
    const rows = new Map<Unit, { readonly units: Unit[]; readonly answered: Set<string> }>();
    for (const unit of this.#units) {
      if (unit.kind !== "results") continue;
      const results = unit.records[0]?.results ?? [];
      const answer = this.#calls.nearest(unit, results[0] ?? "")?.unit;
      if (answer === undefined || answer.segment > unit.segment) continue;
      let row = rows.get(answer);
      if (row === undefined || results.some((id) => row?.answered.has(id))) {
        row = { units: [], answered: new Set() };
        rows.set(answer, row);
      }
      for (const id of results) row.answered.add(id);
      row.units.push(unit);
      unit.row = row.units;
    }
  }

  #linkParents(): void {
    /** The last conversation unit of each file, separately for main and side chains. */
    const previous = new Map<string, Unit>();
    for (const [at, record] of this.#records.entries()) {
      const unit = this.#unitOfRecord[at] as Unit;
      if (unit.records[0] !== record) continue;
      const lane = `${record.file} ${record.isSidechain}`;
      unit.parent = this.#parentOf(record, unit, previous.get(lane));
      if (unit.kind !== "note" && unit.kind !== "title") previous.set(lane, unit);
    }
  }

  #parentOf(record: RecordSketch, unit: Unit, previous: Unit | undefined): Unit | undefined {
    if (unit.kind === "compaction" || record.kind === "boundary") return this.#beforeCompaction(unit, previous);
    if (unit.row !== undefined && unit.row[0] !== unit) return unit.row[unit.row.indexOf(unit) - 1];
    if (unit.row !== undefined) return this.#aboveResult(record, unit);
    if (record.parentUuid !== undefined) {
      const parent = this.#known(record.parentUuid, unit.segment);
      if (parent !== undefined && parent !== unit) return attachPoint(afterKept(parent, unit), unit.segment);
      unit.reason ??= "its parent is not in the file";
      return previous ?? this.#agentAbove(record);
    }
    if (record.isSidechain && record.hasUuid) return this.#agentAbove(record);
    // Records without links (modes, queues, titles, and messages in very old files) follow the record before them.
    return record.hasUuid && record.isRoot ? undefined : (previous ?? this.#agentAbove(record));
  }

  /**
   * The parent of a result: the one it names, if only notes separate that from the call, or else the answer with the
   * call.
   */
  #aboveResult(record: RecordSketch, unit: Unit): Unit | undefined {
    const answer = this.#calls.nearest(unit, record.results[0] ?? "")?.unit;
    const named = record.parentUuid === undefined ? undefined : this.#known(record.parentUuid, unit.segment);
    let above = named;
    for (let steps = 0; above?.kind === "note" && steps < MANY_STEPS; steps++) above = above.parent;
    if (above === answer) return named;
    unit.reason = "its parent was not its call";
    return answer;
  }

  #beforeCompaction(unit: Unit, previous: Unit | undefined): Unit | undefined {
    const links = unit.records[0]?.more?.compaction;
    const own = unit.records[0]?.parentUuid;
    const known = (uuid: string | undefined): Unit | undefined =>
      uuid === undefined ? undefined : this.#known(uuid, unit.segment);
    const unitAt = (uuid: string): Unit | undefined => this.#byUuid.get(uuid);
    const { above, below } = sortKept(
      unit,
      (links?.kept ?? []).flatMap((uuid) => known(uuid) ?? []),
      unitAt,
    );
    unit.keptFrom = above[0];
    unit.keptBelow = below;
    // For a segment only the ends are known, so there may be more records between them and the boundary.
    const lastKept = below === undefined || links?.names === "all" ? above.at(-1) : undefined;
    const logical = known(links?.logicalParent);
    const isBefore = logical !== undefined && pathBelow(unit, logical, unitAt).length === 0;
    const found = (isBefore ? logical : undefined) ?? lastKept ?? known(own);
    return found === undefined || found === unit ? previous : attachPoint(found, unit.segment);
  }

  /** The unit of a uuid, if it existed when the segment was first imported. */
  #known(uuid: string, segment: number): Unit | undefined {
    const unit = this.#byUuid.get(uuid);
    return unit !== undefined && unit.segment <= segment ? unit : undefined;
  }

  #agentAbove(record: RecordSketch): Unit | undefined {
    return this.#agents.above(record, (unit) => this.#units.push(unit)) ?? this.#agents.aboveJournal(record);
  }
}

/** The unit kind of a record before its neighbors are known. Boundaries and summaries are joined at the end. */
function firstKind({ kind }: RecordSketch): UnitKind {
  if (kind === "boundary" || kind === "summary") return "note";
  return kind === "output" ? "user" : kind;
}

/** A longer chain of notes between two blocks of one answer is damage. */
const MANY_STEPS = 10_000;
