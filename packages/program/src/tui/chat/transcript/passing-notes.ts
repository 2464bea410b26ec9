/** Notices that are not saved: each is shown below the entry that was the leaf when it arrived. */
import type { StatusLevel } from "../../host/panel-host.js";

export interface PassingNote {
  readonly text: string;
  readonly level: StatusLevel;
  /** Whether it gives advice about the failure above it, which then needs no general advice. */
  readonly isAdvice?: boolean;
}

const MOST = 200;

export class PassingNotes {
  readonly #below = new Map<number, PassingNote[]>();
  #count = 0;
  #version = 0;

  get version(): number {
    return this.#version;
  }

  add(entry: number, note: PassingNote): void {
    this.#version += 1;
    const there = this.#below.get(entry);
    if (there === undefined) this.#below.set(entry, [note]);
    else there.push(note);
    this.#count += 1;
    for (const [old, notes] of this.#below) {
      if (this.#count <= MOST) break;
      this.#count -= notes.length;
      this.#below.delete(old);
    }
  }

  below(entry: number): readonly PassingNote[] {
    return this.#below.get(entry) ?? [];
  }

  clear(): void {
    this.#below.clear();
    this.#count = 0;
    this.#version += 1;
  }
}
