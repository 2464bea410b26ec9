/** Sub-agents: which call started each, and the unit its conversation hangs below. */
import type { ForeignSession } from "../contract.js";
import type { CallSketch } from "./claude-record.js";
import { agentMetaOf, type RecordSketch } from "./claude-sketch.js";
import { agentUnit, type Unit } from "./claude-unit.js";

export interface Call {
  readonly name: string;
  readonly unit: Unit;
}

export class AgentUnits {
  readonly #source: ForeignSession;
  readonly #calls: ReadonlyMap<string, Call>;
  readonly #units = new Map<string, Unit>();
  /** The calls that told a sub-agent something, by what they told. */
  readonly #prompts = new Map<string, string[]>();
  /** Which call a sub-agent's result answered, and since when that is known. */
  readonly #answered = new Map<string, { readonly id: string; readonly segment: number }>();

  /** `calls` may still grow: it is asked when the records are linked. */
  constructor(source: ForeignSession, calls: ReadonlyMap<string, Call>) {
    this.#source = source;
    this.#calls = calls;
  }

  get byId(): ReadonlyMap<string, Unit> {
    return this.#units;
  }

  /** By the calls that started them. */
  byCall(): Map<string, Unit> {
    return new Map([...this.#units.values()].map((unit) => [unit.agent?.toolCallId ?? "", unit]));
  }

  seeCall({ id, prompt }: CallSketch): void {
    if (prompt !== undefined) this.#prompts.set(prompt, [...(this.#prompts.get(prompt) ?? []), id]);
  }

  seeResult({ kind, more, results, segment }: RecordSketch): void {
    const [id] = results;
    if (kind !== "results" || more?.agentId === undefined || id === undefined) return;
    if (!this.#answered.has(more.agentId)) this.#answered.set(more.agentId, { id, segment });
  }

  /** The unit above a record of a sub-agent; made, and handed to `isNew`, when the sub-agent is met first. */
  above(record: RecordSketch, isNew: (unit: Unit) => void): Unit | undefined {
    if (!record.isSidechain) return undefined;
    const agentId = record.more?.agentId ?? record.key;
    const made = this.#units.get(agentId);
    if (made !== undefined) return made;
    const path = this.#source.files[record.file] as string;
    const { toolUseId, meta } = record.file === 0 ? { toolUseId: undefined, meta: undefined } : agentMetaOf(path);
    const toolCallId = toolUseId ?? this.#answeredCall(agentId, record.segment) ?? this.#callWithPrompt(record);
    const called = toolCallId === undefined ? undefined : this.#calls.get(toolCallId)?.unit;
    const call = called !== undefined && called.segment <= record.segment ? called : undefined;
    const time = record.more?.startTime ?? record.time ?? this.#source.created.toISOString();
    const unit = agentUnit(record.segment, { agentId, toolCallId, call, meta, time });
    unit.parent = call;
    this.#units.set(agentId, unit);
    isNew(unit);
    return unit;
  }

  #answeredCall(agentId: string, segment: number): string | undefined {
    const answered = this.#answered.get(agentId);
    return answered !== undefined && answered.segment <= segment ? answered.id : undefined;
  }

  /** The call that told a sub-agent this; each call starts one. */
  #callWithPrompt({ more, segment }: RecordSketch): string | undefined {
    const calls = more?.prompt === undefined ? undefined : this.#prompts.get(more.prompt);
    const at = calls?.findIndex((id) => (this.#calls.get(id)?.unit.segment ?? segment + 1) <= segment) ?? -1;
    return at < 0 ? undefined : calls?.splice(at, 1)[0];
  }
}
