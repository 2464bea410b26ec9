/** The steps of a path in output order. Keeps facts about each step in memory, and reads entries on demand. */
import type { EntryId, SessionEntry } from "@bough/session/entry/index.js";
import type { EntryPath } from "@bough/session/session/index.js";

/** `made`: a result created for a call without one. `repeated`: a second result. `alone`: a result without its call. */
type StepKind = "given" | "made" | "repeated" | "alone";

export interface PathStep {
  readonly entry: SessionEntry;
  readonly kind: StepKind;
}

export interface StepFacts {
  /** Place of its entry on the path; for a `made` result, of the answer with the call. */
  readonly place: number;
  readonly id: EntryId;
  readonly type: SessionEntry["type"];
  readonly kind: StepKind;
  /** The call that a result answers. */
  readonly callId?: string;
}

interface Steps {
  readonly facts: readonly StepFacts[];
  /** Creates the result for a call of an answer. */
  readonly made: (answer: SessionEntry, callId: string) => SessionEntry;
}

export class PathSteps implements Iterable<PathStep> {
  readonly #path: EntryPath;
  readonly #steps: Steps;

  constructor(path: EntryPath, steps: Steps) {
    this.#path = path;
    this.#steps = steps;
  }

  get length(): number {
    return this.#steps.facts.length;
  }

  /** What is known about each step without reading its entry. */
  get facts(): readonly StepFacts[] {
    return this.#steps.facts;
  }

  at(index: number): PathStep | undefined {
    const facts = this.#steps.facts[index];
    const entry = facts === undefined ? undefined : this.#path.at(facts.place);
    if (facts === undefined || entry === undefined) return undefined;
    const { kind, callId = "" } = facts;
    return { entry: kind === "made" ? this.#steps.made(entry, callId) : entry, kind };
  }

  *[Symbol.iterator](): Generator<PathStep> {
    for (let index = 0; index < this.length; index++) yield this.at(index) as PathStep;
  }

  withoutMade(): PathSteps {
    const { facts, made } = this.#steps;
    return new PathSteps(this.#path, { facts: facts.filter(({ kind }) => kind !== "made"), made });
  }
}
