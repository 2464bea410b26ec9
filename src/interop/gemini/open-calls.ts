/** Calls that wait for their results. Without ids they pair by name, in order. */
import type { EntryId } from "../../entry/index.js";

export interface OpenCall {
  readonly id: string;
  readonly name: string;
  readonly entryId: EntryId;
  answered: boolean;
}

export class OpenCalls {
  readonly #byId = new Map<string, OpenCall>();
  #waiting: OpenCall[] = [];

  made(call: Omit<OpenCall, "answered">): void {
    const open = { ...call, answered: false };
    this.#byId.set(call.id, open);
    this.#waiting.push(open);
  }

  knows(id: string): boolean {
    return this.#byId.has(id);
  }

  /** The call a result answers; undefined where it is answered, or where nobody called. */
  answer(id: string | undefined, name: string): OpenCall | undefined {
    const call = id === undefined ? undefined : this.#byId.get(id);
    // A result may carry an id although its call was stored without.
    const found = call ?? this.#waiting.find((open) => open.name === name && !open.answered);
    if (found === undefined || found.answered) return undefined;
    found.answered = true;
    this.#waiting = this.#waiting.filter((open) => open !== found);
    return found;
  }
}
