/** Calls, and the results they wait for or have. Without ids they pair by name, in order. */
import type { EntryId } from "../../entry/index.js";

interface OpenCall {
  readonly id: string;
  readonly name: string;
  readonly entryId: EntryId;
  /** The entry of its result, and what that says. */
  result: { readonly entryId: EntryId; readonly gist: string } | undefined;
}

export class OpenCalls {
  readonly #byId = new Map<string, OpenCall>();
  #waiting: OpenCall[] = [];

  made({ id, name, entryId }: Omit<OpenCall, "result">): void {
    // Written out: a spread object would have a shape of its own, and there are as many as calls.
    const open: OpenCall = { id, name, entryId, result: undefined };
    this.#byId.set(id, open);
    this.#waiting.push(open);
  }

  knows(id: string): boolean {
    return this.#byId.has(id);
  }

  get(id: string): OpenCall | undefined {
    return this.#byId.get(id);
  }

  /** The call a result answers, which no longer waits; undefined where it is answered, or where nobody called. */
  take(id: string | undefined, name: string): OpenCall | undefined {
    const call = id === undefined ? undefined : this.#byId.get(id);
    // A result may carry an id although its call was stored without.
    const found = call ?? this.#waiting.find((open) => open.name === name && open.result === undefined);
    if (found === undefined || found.result !== undefined) return undefined;
    this.#waiting = this.#waiting.filter((open) => open !== found);
    return found;
  }
}
