/** Finds the leaf of a Claude Code session: the record from which Claude Code would continue. */
import type { RecordSketch } from "./claude-sketch.js";
import type { Unit } from "./claude-unit.js";

/** The last conversation record of the file, unless a `last-prompt` after it names another. */
export class LeafFinder {
  #last: Unit | undefined;
  #lastSide: Unit | undefined;
  #named: string | undefined;

  see(record: RecordSketch, unit: Unit): void {
    const leafUuid = record.more?.leafUuid;
    if (record.type === "last-prompt" && leafUuid !== undefined && record.file === 0) this.#named = leafUuid;
    if (unit.kind === "note" && record.kind !== "summary") return;
    if (record.kind === "title") return;
    if (record.isSidechain) {
      this.#lastSide = unit;
      return;
    }
    this.#last = unit;
    this.#named = undefined;
  }

  replace(unit: Unit, by: Unit): void {
    if (this.#last === unit) this.#last = by;
    if (this.#lastSide === unit) this.#lastSide = by;
  }

  /** Falls back to the end of the sub-agent if the transcript contains nothing else. */
  find(unitWith: (uuid: string) => Unit | undefined): Unit | undefined {
    let named = this.#named === undefined ? undefined : unitWith(this.#named);
    while (named?.kind === "note" && named.parent !== undefined) named = named.parent;
    return named ?? this.#last ?? this.#lastSide;
  }
}
