/**
 * Keeps the provider's prompt cache of the last request from expiring: repeats the request just before it does, with
 * almost no answer, while that is expected to cost less than losing it. Off unless the user asks for it, because it
 * spends their money.
 */
import type { Usage } from "@bough/session/entry/index.js";
import { type LanguageModel, type ModelInfo, type ModelRequest, pricedUsage } from "../../model/index.js";
import type { CacheWarming } from "../../project/index.js";
import { providerHooks } from "../extension/provider-hooks.js";
import type { RunParts } from "../run-parts.js";

interface Kept {
  readonly model: LanguageModel;
  readonly request: ModelRequest;
  /** Tokens of the request. */
  readonly tokens: number;
  readonly since: number;
  readonly stop: AbortController;
  phase: "streaming" | "idle";
  refreshes: number;
}

interface Decision {
  /** Dollars for this refresh. */
  readonly warmCost: number;
  /** What the next request costs more if the cache is lost. */
  readonly missCost: number;
  /** The estimate that a request comes in time. */
  readonly continuationProbability: number;
  readonly action: "warm" | "stop";
}

/** Anthropic's cache lives for five minutes after its last use. Of other providers nothing is assumed. */
const ANTHROPIC_SECONDS = 5 * 60;
/** When to refresh, as a part of the lifetime. */
const EARLY = 0.9;
const LONGEST_MS = { streaming: 60 * 60_000, idle: 30 * 60_000 } as const;
/** Dollars. */
const LEAST_SAVINGS = 0.05;
/** The least that every provider accepts. */
const SHORT_ANSWER = 16;

export class CacheWarmer {
  readonly #parts: RunParts;
  readonly #mode: () => CacheWarming;
  #kept: Kept | undefined;

  constructor(parts: RunParts, mode: () => CacheWarming) {
    this.#parts = parts;
    this.#mode = mode;
  }

  /** After a step: from now on its request is kept warm, instead of an earlier one. */
  keep(model: LanguageModel, request: ModelRequest, usage: Usage): void {
    this.drop();
    const seconds = lifetimeOf(model.info);
    // Repeating a request that thinks would think again, and asking for less thinking would miss the cache.
    if (this.#mode() === "off" || seconds === undefined || request.thinkingLevel !== "off") return;
    const tokens = usage.input + usage.cacheRead + usage.cacheWrite;
    const since = this.#parts.now().getTime();
    this.#kept = { model, request, tokens, since, stop: new AbortController(), phase: "streaming", refreshes: 0 };
    void this.#refreshUntilDropped(this.#kept, seconds * 1_000 * EARLY);
  }

  /** The run has ended. */
  settle(): void {
    if (this.#kept === undefined) return;
    if (this.#mode() === "idle") this.#kept.phase = "idle";
    else this.drop();
  }

  /** The next request will not begin like the kept one, or is being made. */
  drop(): void {
    this.#kept?.stop.abort();
    this.#kept = undefined;
  }

  async #refreshUntilDropped(kept: Kept, delayMs: number): Promise<void> {
    const { now, sleep } = this.#parts;
    const { signal } = kept.stop;
    const isWanted = () => this.#kept === kept && this.#mode() !== "off";
    while (isWanted()) {
      const due = now().getTime() + delayMs;
      await sleep(delayMs, { signal, ref: false });
      // Asleep for too long, the machine has lost the cache already.
      const isLate = now().getTime() > due + delayMs * (1 - EARLY);
      const isOver = now().getTime() - kept.since > LONGEST_MS[kept.phase];
      if (!isWanted() || isLate || isOver || (await this.#decided(kept)) === "stop" || !isWanted()) break;
      if (!(await this.#refresh(kept))) break;
      kept.refreshes++;
    }
    if (this.#kept === kept) this.drop();
  }

  /** Extensions may decide otherwise; the last one counts. */
  async #decided(kept: Kept): Promise<"warm" | "stop"> {
    const decision = decisionFor(kept);
    const { hooks } = this.#parts;
    if (!hooks.has("cache_warming_decision")) return decision.action;
    const event = { type: "cache_warming_decision", ...decision } as const;
    const answers = await hooks.emit<"cache_warming_decision">(event, { signal: kept.stop.signal });
    const said = answers.map(({ result }) => result?.action).findLast((one) => one === "warm" || one === "stop");
    return said ?? decision.action;
  }

  /** False if the provider did not answer. Never throws: the session continues without it. */
  async #refresh({ model, request, stop: { signal } }: Kept): Promise<boolean> {
    const parts = this.#parts;
    try {
      const short = { ...request, maxOutput: SHORT_ANSWER };
      const { idleTimeoutMs } = parts.retry;
      const now = () => parts.now().getTime();
      const options = { signal, idleTimeoutMs, now, ...providerHooks(parts, { signal }) };
      for await (const event of model.stream(short, options)) {
        if (event.type !== "end") continue;
        if (event.failure !== undefined || signal.aborted) return false;
        const usage = pricedUsage(event.message.usage, model.info.prices);
        parts.meter?.spend(usage);
        const { provider, model: id } = event.message;
        const entry = parts.session.appendUsage({ kind: "cache_warm", provider, model: id, usage });
        parts.emit({ type: "entries", ids: [entry] });
        return true;
      }
    } catch {
      // The next real request reports what is wrong.
    }
    return false;
  }
}

function lifetimeOf({ api, cacheSeconds }: ModelInfo): number | undefined {
  return cacheSeconds ?? (api === "anthropic-messages" ? ANTHROPIC_SECONDS : undefined);
}

function decisionFor({ model, tokens, phase, refreshes }: Kept): Decision {
  const { prices } = model.info;
  const warmCost = (tokens * (prices?.cacheRead ?? 0)) / 1e6;
  const missCost = (tokens * Math.max(0, (prices?.cacheWrite ?? 0) - (prices?.cacheRead ?? 0))) / 1e6;
  // A run that waits for a tool nearly always continues; the longer nothing is asked, the less likely it becomes.
  const continuationProbability = phase === "streaming" ? 0.95 : 0.5 * 0.7 ** refreshes;
  const isWorth = continuationProbability * missCost - warmCost >= LEAST_SAVINGS;
  return { warmCost, missCost, continuationProbability, action: isWorth ? "warm" : "stop" };
}
