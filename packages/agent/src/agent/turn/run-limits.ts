/** Limits of one run. */
import type { AssistantMessage } from "@bough/session/entry/index.js";

/** Omitted means unlimited. */
export interface RunLimits {
  /** Model steps. */
  readonly steps?: number;
  /** Total tokens of all steps, cached ones included. Checked after each step. */
  readonly tokens?: number;
  /** Total dollars of all steps; a step with an unknown price counts as 0. Checked after each step. */
  readonly dollars?: number;
  /** From the first step on. Whatever is running at the deadline is stopped. */
  readonly milliseconds?: number;
}

type LimitName = keyof RunLimits;

/** Measures what a run has used. */
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

  /** The limit that another step would exceed; none if the run was stopped. */
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
