/** Options a program can pass with a prompt. */
import type { ImageBlock } from "@bough/session/entry/index.js";
import { defined } from "@bough/session/text/index.js";
import type { RunOptions } from "./turn/run-agent.js";
import { checkLimits, type RunLimits } from "./turn/run-limits.js";
import { type OutputSchema, outputRequest } from "./turn/structured-output.js";

/** The options of one run. */
export interface PromptOptions<Schema extends OutputSchema = OutputSchema> {
  readonly images?: readonly ImageBlock[];
  /** Who sent it, for extensions that check this; `interactive` by default. */
  readonly source?: "interactive" | "rpc" | "extension";
  /** Whether to expand prompt templates; true by default. */
  readonly expandTemplates?: boolean;
  /** Aborting it stops the run, like `abort`. */
  readonly signal?: AbortSignal;
  /** Another name of `limits.steps`, which wins if both are given. */
  readonly maxSteps?: number;
  /**
   * How far this prompt may go, with everything that extensions and queued messages add before the agent is idle. Each
   * takes precedence over the same limit of the agent.
   */
  readonly limits?: RunLimits;
  /** The shape of the answer: a zod schema or a JSON Schema. The outcome `done` then has a validated `output`. */
  readonly output?: Schema;
}

/** Converts the options to those of a run. Throws a TypeError for an invalid schema or limit. */
export function runOptions({ maxSteps, limits, output }: PromptOptions): RunOptions {
  return {
    limits: checkLimits({ steps: maxSteps, ...defined(limits) }),
    output: output === undefined ? undefined : outputRequest(output),
  };
}

/** Runs the work, and calls `stop` if the signal aborts in the meantime. */
export async function untilStopped<Result>(
  signal: AbortSignal | undefined,
  stop: () => void,
  work: () => Promise<Result>,
): Promise<Result> {
  signal?.addEventListener("abort", stop, { once: true });
  try {
    return await work();
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}
