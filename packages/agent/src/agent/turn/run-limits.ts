/** How far one run may go. */
import type { AssistantMessage } from "@bough/session/entry/index.js";

/** What is not named has no limit. */
export interface RunLimits {
  /** Model steps. */
  readonly steps?: number;
  /** Tokens of all steps together, what caches gave included. Looked at after each step. */
  readonly tokens?: number;
  /** Dollars of all steps together; a step whose price is not known counts nothing. Looked at after each step. */
  readonly dollars?: number;
  /** From the first step on. What is running when the time is up is stopped. */
  readonly milliseconds?: number;
}

type LimitName = keyof RunLimits;

/** Counts what a run has used up. */
export class RunMeter {
  readonly signal: AbortSignal;
  readonly #limits: RunLimits;
  readonly #stopped: AbortSignal;
  readonly #time: AbortSignal | undefined;
  #steps = 0;
  #tokens = 0;
  #dollars = 0;

  constructor(limits: RunLimits, signal: AbortSignal) {
    const { milliseconds } = limits;
    this.#limits = limits;
    this.#stopped = signal;
    this.#time = milliseconds === undefined ? undefined : AbortSignal.timeout(milliseconds);
    this.signal = this.#time === undefined ? signal : AbortSignal.any([signal, this.#time]);
  }

  count({ usage }: AssistantMessage): void {
    this.#steps += 1;
    this.#tokens += usage.totalTokens ?? usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
    this.#dollars += usage.cost?.total ?? 0;
  }

  /** The limit that another step would pass; none if the run was stopped. */
  get reached(): LimitName | undefined {
    const { steps, tokens, dollars } = this.#limits;
    if (this.#stopped.aborted) return undefined;
    if (this.#time?.aborted === true) return "milliseconds";
    if (steps !== undefined && this.#steps >= steps) return "steps";
    if (tokens !== undefined && this.#tokens >= tokens) return "tokens";
    return dollars !== undefined && this.#dollars >= dollars ? "dollars" : undefined;
  }

  /** A sentence. */
  told(limit: LimitName): string {
    const { [limit]: most = 0 } = this.#limits;
    const amount = {
      steps: `${most} ${most === 1 ? "step" : "steps"}`,
      tokens: `${most} tokens`,
      dollars: `$${most}`,
      milliseconds: `${most / 1000} seconds`,
    }[limit];
    return `Stopped after ${amount}, the limit for one run`;
  }
}
