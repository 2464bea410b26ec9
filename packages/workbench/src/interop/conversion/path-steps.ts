/** The steps of a path in the order they are written. Facts about each are held; entries are read when asked for. */
import type { EntryId, SessionEntry } from "@bough/session/entry/index.js";
import type { EntryPath } from "@bough/session/session/index.js";

/** `made`: a result for a call that never got one. `repeated`: a second result. `alone`: one whose call is not above. */
type StepKind = "given" | "made" | "repeated" | "alone";

/** A step of the path to be written. */
export interface PathStep {
  readonly entry: SessionEntry;
  readonly kind: StepKind;
}

export interface StepFacts {
  /** Where its entry is on the path; of a result that is made, where the answer with the call is. */
  readonly place: number;
  readonly id: EntryId;
  readonly type: SessionEntry["type"];
  readonly kind: StepKind;
  /** The call that a result answers. */
  readonly callId?: string;
}

interface Steps {
  readonly facts: readonly StepFacts[];
  /** The result for a call of an answer. */
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

  /** What is known of each step without reading its entry. */
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
