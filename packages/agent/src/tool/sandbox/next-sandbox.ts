/**
 * A sandbox that is prepared for the next command, while the model thinks. It is used only if it would be set up the same
 * way now, and is ended if no command comes.
 */
import { watchMasks } from "./made-by-masks.js";
import { isStillMounted, type Mounted, mountedNow } from "./mounted-now.js";
import type { Engine, PreparedSandbox, PrepareOptions } from "./sandbox-engine.js";

/** A waiting sandbox takes a few megabytes. */
const WAITS_MS = 120_000;

interface Next {
  readonly mounted: Mounted;
  readonly sandbox: Promise<PreparedSandbox | undefined>;
  readonly removeMade: () => void;
  readonly limit: NodeJS.Timeout;
  readonly ending: AbortController;
}

export interface TakenSandbox {
  readonly sandbox: PreparedSandbox;
  /** For the end of the command. */
  readonly removeMade: () => void;
}

export class NextSandbox {
  #next: Next | undefined;
  readonly #ending = new Set<Promise<void>>();
  #isClosed = false;

  /** Does nothing if one is there already. */
  prepare(engine: Engine, options: PrepareOptions): void {
    if (this.#next !== undefined || this.#isClosed || engine.prepare === undefined) return;
    const mounted = mountedNow(options);
    const removeMade = watchMasks(options.plan);
    const ending = new AbortController();
    const sandbox = engine
      .prepare(options, ending.signal)
      .finally(removeMade)
      .catch(() => undefined);
    const limit = setTimeout(() => this.#drop(), WAITS_MS).unref();
    this.#next = { mounted, sandbox, removeMade, limit, ending };
  }

  /** The prepared one, if what it depends on is the same now. */
  async take(options: PrepareOptions): Promise<TakenSandbox | undefined> {
    const next = this.#next;
    if (next === undefined) return undefined;
    if (!isStillMounted(next.mounted, mountedNow(options))) {
      this.#drop();
      return undefined;
    }
    this.#next = undefined;
    clearTimeout(next.limit);
    // It began earlier, so it is there sooner than another one would be.
    const sandbox = await next.sandbox;
    if (sandbox?.isWaiting() === true && isStillMounted(next.mounted, mountedNow(options))) {
      return { sandbox, removeMade: next.removeMade };
    }
    this.#end(next);
    return undefined;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#drop();
    await Promise.all(this.#ending);
  }

  #drop(): void {
    const next = this.#next;
    this.#next = undefined;
    if (next !== undefined) this.#end(next);
  }

  #end({ sandbox, removeMade, limit, ending }: Next): void {
    clearTimeout(limit);
    ending.abort();
    const end = sandbox
      .then((one) => one?.stop())
      .then(removeMade, removeMade)
      .finally(() => this.#ending.delete(end));
    this.#ending.add(end);
  }
}
