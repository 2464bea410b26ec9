/** Where each entry goes in the repaired file: its id and its parent. */
import { type EntryId, Kind } from "../../entry/index.js";
import type { Survey } from "../verify/survey.js";
import { derivedId } from "./derived-id.js";

export class NewPlaces {
  readonly #survey: Survey;
  readonly #newIds = new Set<EntryId>();
  /** Nearest readable entry above an unreadable one, or -1. */
  readonly #above = new Map<number, number>();

  constructor(survey: Survey) {
    this.#survey = survey;
  }

  isTaken(id: EntryId): boolean {
    return this.#newIds.has(id) || this.#survey.tree.ids.findText(id) >= 0;
  }

  /** The id of entry `n`: a new one, made from its line, where another entry has its id. */
  idOf(n: number, line: Buffer): EntryId {
    if (!this.#survey.duplicates.has(n)) return this.#survey.idOf(n);
    const id = derivedId(line, (candidate) => this.isTaken(candidate));
    this.#newIds.add(id);
    return id;
  }

  /**
   * The parent of entry `n`: as the engine shows it, but never an unreadable entry.
   *
   *     a ─ ▓ ─ ▓ ─ d        becomes        a ─ d
   */
  parentOf(n: number): EntryId | null {
    const { tree } = this.#survey;
    const parent = this.#readable(this.#survey.duplicates.has(n) ? this.#namedBy(n) : tree.parentOf(n));
    return parent < 0 ? null : this.#survey.idOf(parent);
  }

  /** A duplicate is drawn as a root because its id is in doubt; the parent it names is not. */
  #namedBy(n: number): number {
    const { tree, duplicates } = this.#survey;
    const parentId = duplicates.get(n) ?? null;
    if (parentId === null || parentId === this.#survey.idOf(n)) return -1;
    const parent = tree.ids.findText(parentId);
    return parent >= 0 && tree.kindOf(parent) === Kind.position ? -1 : parent;
  }

  #readable(parent: number): number {
    const { tree, unreadable } = this.#survey;
    const passed: number[] = [];
    let at = parent;
    while (at >= 0 && unreadable.has(at)) {
      const known = this.#above.get(at);
      if (known === undefined) passed.push(at);
      at = known ?? tree.parentOf(at);
    }
    for (const n of passed) this.#above.set(n, at);
    return at;
  }
}
