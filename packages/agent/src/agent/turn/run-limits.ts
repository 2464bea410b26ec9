/** Limits of one run, and what it has used. */
import type { Usage } from "@bough/session/entry/index.js";
import { UsageCounter } from "../usage-total.js";

/** How far a run may go. Omitted means unlimited. */
export interface RunLimits {
  /** Model steps, those of agents spawned by tools included. */
  readonly steps?: number;
  /** Total tokens, cached ones included: steps, retries, summaries, and agents spawned by tools. Checked after each. */
  readonly tokens?: number;
  /**
   * Total dollars of the same. Checked after each; a step with an unknown price ends the run, because nothing can be
   * said about the sum anymore.
   */
  readonly dollars?: number;
  /** From the prompt on. Whatever is running at the deadline is stopped. */
  readonly milliseconds?: number;
}

/** What a prompt has used: model steps, retries, summaries, and agents spawned by its tools. */
export interface RunUsage {
  readonly steps: number;
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  /** All tokens. */
  readonly tokens: number;
  /** Of everything that has a known price. */
  readonly dollars: number;
  /** How many model calls have no known price. */
  readonly unpriced: number;
}

type LimitName = keyof RunLimits;

/** Timers of Node fire at once for anything longer, which is 24 days. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Throws a TypeError for limits that are not limits: NaN would be unlimited. */
export function checkLimits(limits: RunLimits = {}): RunLimits {
  for (const [name, limit] of Object.entries(limits) as readonly (readonly [string, unknown])[]) {
    if (limit === undefined || (typeof limit === "number" && limit >= 0)) continue;
    throw new TypeError(`limits.${name} must be a number of at least 0, but is ${String(limit)}`);
  }
  return limits;
}

interface RunMeterOptions {
  /** Stops the run. */
  readonly signal?: AbortSignal;
  /** What this is a part of: used up there is used up here. */
  readonly within?: RunMeter | undefined;
}

/** Measures what a run has used. */
export class RunMeter {
  readonly signal: AbortSignal;
  readonly #limits: RunLimits;
  readonly #stopped: AbortSignal | undefined;
  readonly #within: RunMeter | undefined;
  readonly #time: AbortSignal | undefined;
  readonly #used = new UsageCounter();
  #steps = 0;
  #isOver = false;

  constructor(limits: RunLimits, { signal, within }: RunMeterOptions = {}) {
    const { milliseconds = Number.POSITIVE_INFINITY } = limits;
    this.#limits = limits;
    this.#stopped = signal;
    this.#within = within;
    const own = milliseconds > LONGEST_TIMER_MS ? undefined : AbortSignal.timeout(milliseconds);
    this.#time = anyOf(own, within === undefined ? undefined : within.#time);
    this.signal = anyOf(signal, this.#time) ?? new AbortController().signal;
  }

  /** Whether the work it measures has ended: what starts now is not part of it. */
  get isOver(): boolean {
    return this.#isOver;
  }

  end(): void {
    this.#isOver = true;
  }

  step(): void {
    this.#steps += 1;
    this.#within?.step();
  }

  spend(usage: Usage): void {
    this.#used.addUsage(usage);
    this.#within?.spend(usage);
  }

  get usage(): RunUsage {
    return { steps: this.#steps, ...this.#used.total() };
  }

  /** The limit that another step would exceed; none if the run was stopped. */
  get reached(): LimitName | undefined {
    if (this.#stopped?.aborted === true) return undefined;
    return this.#ownReached ?? this.#within?.reached;
  }

  get #ownReached(): LimitName | undefined {
    const { steps, tokens, dollars } = this.#limits;
    const used = this.#used.total();
    if (this.#time?.aborted === true) return "milliseconds";
    if (steps !== undefined && this.#steps >= steps) return "steps";
    if (tokens !== undefined && used.tokens >= tokens) return "tokens";
    return dollars !== undefined && (used.dollars >= dollars || used.unpriced > 0) ? "dollars" : undefined;
  }

  /** Why the run ends at this limit, as a sentence. */
  told(limit: LimitName): string {
    const { [limit]: most } = this.#limits;
    if (most === undefined) return this.#within?.told(limit) ?? "Stopped at a limit";
    if (limit === "dollars" && this.#used.total().unpriced > 0) {
      return `Stopped: the model gave no price for a step, so the limit of $${most} cannot be checked`;
    }
    const amount = {
      steps: `${most} ${most === 1 ? "step" : "steps"}`,
      tokens: `${most} tokens`,
      dollars: `$${most}`,
      milliseconds: `${most / 1000} seconds`,
    }[limit];
    return `Stopped after ${amount}, the limit for one run`;
  }
}

function anyOf(...signals: readonly (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined);
  return given.length > 1 ? AbortSignal.any(given) : given[0];
}
