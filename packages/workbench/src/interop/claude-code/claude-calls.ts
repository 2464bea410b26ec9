/** The calls of a transcript. Some local servers number calls from 0 in every answer, so IDs can repeat. */
import type { CallSketch } from "./claude-record.js";
import type { Unit } from "./claude-unit.js";

export interface Call {
  readonly name: string;
  readonly unit: Unit;
}

/** All calls with the same ID. */
interface SameId {
  readonly byUnit: Map<Unit, Call>;
  readonly first: Call;
  latest: Call;
}

export class KnownCalls {
  readonly #calls = new Map<string, SameId>();
  readonly #unitAt: (uuid: string) => Unit | undefined;

  /** `unitAt` returns the unit of a uuid. */
  constructor(unitAt: (uuid: string) => Unit | undefined) {
    this.#unitAt = unitAt;
  }

  /** Returns whether it is the first call with its ID. */
  add({ id, name }: CallSketch, unit: Unit): boolean {
    const call = { name, unit };
    const others = this.#calls.get(id);
    if (others === undefined) this.#calls.set(id, { byUnit: new Map([[unit, call]]), first: call, latest: call });
    else if (!others.byUnit.has(unit)) {
      others.byUnit.set(unit, call);
      others.latest = call;
    }
    return others === undefined;
  }

  isIn(unit: Unit, id: string): boolean {
    return this.#calls.get(id)?.byUnit.has(unit) === true;
  }

  first(id: string): Call | undefined {
    return this.#calls.get(id)?.first;
  }

  /** The last call added so far. */
  latest(id: string): Call | undefined {
    return this.#calls.get(id)?.latest;
  }

  /**
   * The call that a result answers: the nearest above it in the parent chain, or else the last one before it in its
   * file.
   */
  nearest(result: Unit, id: string): Call | undefined {
    const calls = this.#calls.get(id);
    if (calls === undefined || calls.byUnit.size === 1) return calls?.first;
    const seen = new Set<Unit>();
    for (let above = result.records[0]?.parentUuid; above !== undefined; ) {
      const unit = this.#unitAt(above);
      if (unit === undefined || seen.has(unit)) break;
      const call = calls.byUnit.get(unit);
      if (call !== undefined) return call;
      seen.add(unit);
      above = unit.records[0]?.parentUuid;
    }
    return [...calls.byUnit.values()].findLast(({ unit }) => isBefore(unit, result)) ?? calls.first;
  }
}

function isBefore(unit: Unit, other: Unit): boolean {
  const [one, two] = [unit.records[0], other.records[0]];
  return one !== undefined && two !== undefined && one.file === two.file && one.line < two.line;
}
