/** Finds the call that started each sub-agent, and creates the unit above the sub-agent's conversation. */
import type { ForeignSession } from "../contract.js";
import type { KnownCalls } from "./claude-calls.js";
import { type CallSketch, runInPath } from "./claude-record.js";
import { agentMetaOf, type RecordSketch } from "./claude-sketch.js";
import { agentUnit, type Unit } from "./claude-unit.js";

interface KnownCall {
  readonly id: string;
  readonly segment: number;
  /** The answer with the call, if it was read before the result. */
  readonly unit: Unit | undefined;
}

export class AgentUnits {
  readonly #source: ForeignSession;
  readonly #calls: KnownCalls;
  readonly #units = new Map<string, Unit>();
  /** Calls that start sub-agents, by prompt. */
  readonly #prompts = new Map<string, string[]>();
  /** For each sub-agent, the call that its result answered, and the segment since which that is known. */
  readonly #answered = new Map<string, KnownCall>();
  /** For each workflow run, which may start many sub-agents, its call. */
  readonly #runs = new Map<string, KnownCall>();

  /** `calls` may still grow; it is used when the records are linked. */
  constructor(source: ForeignSession, calls: KnownCalls) {
    this.#source = source;
    this.#calls = calls;
  }

  get byId(): ReadonlyMap<string, Unit> {
    return this.#units;
  }

  /** Sub-agents by the call that started them; the first one if a call started several. */
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
    // Other results can mention a run too, for example one that lists its folder.
    const isRun = run !== undefined && call?.name === "Workflow";
    if (isRun && !this.#runs.has(run)) this.#runs.set(run, known);
  }

  /** The unit above a sub-agent's record. Created and passed to `onNew` for the first record of the sub-agent. */
  above(record: RecordSketch, onNew: (unit: Unit) => void): Unit | undefined {
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
    onNew(unit);
    return unit;
  }

  /** The unit with the call of the workflow that a journal record belongs to. */
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

  /** The call with the prompt of this sub-agent. Each call is used once, since it starts one sub-agent. */
  #callWithPrompt({ more, segment }: RecordSketch): string | undefined {
    const calls = more?.prompt === undefined ? undefined : this.#prompts.get(more.prompt);
    const at = calls?.findIndex((id) => (this.#calls.first(id)?.unit.segment ?? segment + 1) <= segment) ?? -1;
    return at < 0 ? undefined : calls?.splice(at, 1)[0];
  }
}

/** The call, if it was already known when the record was first imported. */
function callKnownTo({ segment }: RecordSketch, known: KnownCall | undefined): KnownCall | undefined {
  return known !== undefined && known.segment <= segment ? known : undefined;
}
