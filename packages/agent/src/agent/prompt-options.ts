/** What a program may say with a prompt. */
import type { ImageBlock } from "@bough/session/entry/index.js";
import { defined } from "@bough/session/text/index.js";
import type { RunOptions } from "./turn/run-agent.js";
import type { RunLimits } from "./turn/run-limits.js";
import { type OutputSchema, outputRequest } from "./turn/structured-output.js";

/** What one run is given. */
export interface PromptOptions<Schema extends OutputSchema = OutputSchema> {
  readonly images?: readonly ImageBlock[];
  /** Who sent it, for extensions that look at it; `interactive` by default. */
  readonly source?: "interactive" | "rpc" | "extension";
  /** Whether prompt templates are filled in; they are by default. */
  readonly expandTemplates?: boolean;
  /** Stops the run as `abort` does. */
  readonly signal?: AbortSignal;
  /** The same as `limits.steps`. */
  readonly maxSteps?: number;
  /** How far this run may go; comes before the limits of the agent. */
  readonly limits?: RunLimits;
  /** The form of the answer: a zod schema or a JSON Schema. The outcome `done` then has a checked `output`. */
  readonly output?: Schema;
}

/** The options as a run takes them. Throws a TypeError for an invalid schema. */
export function runOptions({ maxSteps, limits, output }: PromptOptions): RunOptions {
  return {
    limits: { steps: maxSteps, ...defined(limits) },
    output: output === undefined ? undefined : outputRequest(output),
  };
}

/** Does the work and calls `stop` if the signal fires meanwhile. */
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
