/** Sub-agents: which call started each, and the unit its conversation hangs below. */
import type { ForeignSession } from "../contract.js";
import type { KnownCalls } from "./claude-calls.js";
import { type CallSketch, runInPath } from "./claude-record.js";
import { agentMetaOf, type RecordSketch } from "./claude-sketch.js";
import { agentUnit, type Unit } from "./claude-unit.js";

interface KnownCall {
  readonly id: string;
  readonly segment: number;
  /** The answer it is in, where the result that named it was read after that. */
  readonly unit: Unit | undefined;
}

export class AgentUnits {
  readonly #source: ForeignSession;
  readonly #calls: KnownCalls;
  readonly #units = new Map<string, Unit>();
  /** The calls that told a sub-agent something, by what they told. */
  readonly #prompts = new Map<string, string[]>();
  /** Which call a sub-agent's result answered, and since when that is known. */
  readonly #answered = new Map<string, KnownCall>();
  /** The same for the runs of workflows, each of which may start many. */
  readonly #runs = new Map<string, KnownCall>();

  /** `calls` may still grow: it is asked when the records are linked. */
  constructor(source: ForeignSession, calls: KnownCalls) {
    this.#source = source;
    this.#calls = calls;
  }

  get byId(): ReadonlyMap<string, Unit> {
    return this.#units;
  }

  /** By the calls that started them: the first, where a call started several. */
  byCall(): Map<string, Unit> {
    return new Map([...this.#units.values()].reverse().map((unit) => [unit.agent?.toolCallId ?? "", unit]));
  }

  seeCall({ id, prompt }: CallSketch): void {
    if (prompt !== undefined) this.#prompts.set(prompt, [...(this.#prompts.get(prompt) ?? []), id]);
  }

  seeResult({ kind, more, results, segment }: RecordSketch): void {
    const [id] = results;
    if (kind !== "results" || more === undefined || id === undefined) return;
    const { agentId, run } = more;
    const call = this.#calls.latest(id);
    const known = { id, segment, unit: call?.unit };
    if (agentId !== undefined && !this.#answered.has(agentId)) this.#answered.set(agentId, known);
    // Other results may speak of a run as well: those that list its folder, for one.
    const isRun = run !== undefined && call?.name === "Workflow";
    if (isRun && !this.#runs.has(run)) this.#runs.set(run, known);
  }

  /** The unit above a record of a sub-agent; made, and handed to `isNew`, when the sub-agent is met first. */
  above(record: RecordSketch, isNew: (unit: Unit) => void): Unit | undefined {
    if (!record.isSidechain) return undefined;
    const agentId = record.more?.agentId ?? record.key;
    const made = this.#units.get(agentId);
    if (made !== undefined) return made;
    const path = this.#source.files[record.file] as string;
    const { toolUseId, meta } = record.file === 0 ? { toolUseId: undefined, meta: undefined } : agentMetaOf(path);
    const told =
      callKnownTo(record, this.#answered.get(agentId)) ?? callKnownTo(record, this.#runs.get(runInPath(path) ?? ""));
    const toolCallId = toolUseId ?? told?.id ?? this.#callWithPrompt(record);
    const call = this.#unitOfCall(toolCallId, record, told);
    const time = record.more?.startTime ?? record.time ?? this.#source.created.toISOString();
    const unit = agentUnit(record.segment, { agentId, toolCallId, call, meta, time });
    unit.parent = call;
    this.#units.set(agentId, unit);
    isNew(unit);
    return unit;
  }

  /** The call of the workflow whose run a record of its journal is about. */
  aboveJournal(record: RecordSketch): Unit | undefined {
    const run = runInPath(this.#source.files[record.file] as string);
    const told = callKnownTo(record, this.#runs.get(run ?? ""));
    return this.#unitOfCall(told?.id, record, told);
  }

  #unitOfCall(id: string | undefined, { segment }: RecordSketch, told: KnownCall | undefined): Unit | undefined {
    const first = id === undefined ? undefined : this.#calls.first(id)?.unit;
    const called = (told?.id === id ? told?.unit : undefined) ?? first;
    return called !== undefined && called.segment <= segment ? called : undefined;
  }

  /** The call that told a sub-agent this; each call starts one. */
  #callWithPrompt({ more, segment }: RecordSketch): string | undefined {
    const calls = more?.prompt === undefined ? undefined : this.#prompts.get(more.prompt);
    const at = calls?.findIndex((id) => (this.#calls.first(id)?.unit.segment ?? segment + 1) <= segment) ?? -1;
    return at < 0 ? undefined : calls?.splice(at, 1)[0];
  }
}

/** The call, if it was known when the record was imported first. */
function callKnownTo({ segment }: RecordSketch, known: KnownCall | undefined): KnownCall | undefined {
  return known !== undefined && known.segment <= segment ? known : undefined;
}
