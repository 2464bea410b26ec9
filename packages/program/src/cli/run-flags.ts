/** Parses the flags that apply to one prompt: limits, and a schema for the answer. */
import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import type { RunLimits } from "@bough/agent/agent/index.js";
import { errorText, parseDuration, shortBytes } from "@bough/session/text/index.js";
import { usageError } from "./cli-error.js";

/** Real schemas are far smaller, and the schema is sent with every request. */
const MOST_SCHEMA_BYTES = 250_000;

/** Flags that only make sense with `-p`. */
export const RUN_FLAGS = ["max-turns", "max-tokens", "max-cost", "timeout", "schema", "strict"] as const;

interface LimitValues {
  readonly turns: string | undefined;
  readonly tokens: string | undefined;
  readonly cost: string | undefined;
  readonly timeout: string | undefined;
}

/** Throws a usage error for an invalid limit. */
export function runLimits({ turns, tokens, cost, timeout }: LimitValues): RunLimits {
  return {
    steps: turns === undefined ? undefined : countOf("max-turns", turns),
    tokens: tokens === undefined ? undefined : countOf("max-tokens", tokens),
    dollars: cost === undefined ? undefined : dollarsOf(cost),
    milliseconds: timeout === undefined ? undefined : millisecondsOf(timeout),
  };
}

function countOf(flag: string, text: string): number {
  const count = Number(text);
  if (/^\d+$/.test(text) && count >= 1 && Number.isSafeInteger(count)) return count;
  throw usageError(`Invalid value for --${flag}: ${text}`, "Use a whole number of at least 1.");
}

function dollarsOf(text: string): number {
  const dollars = Number(text);
  if (/^\d*\.?\d+$/.test(text) && dollars > 0 && Number.isFinite(dollars)) return dollars;
  throw usageError(`Invalid value for --max-cost: ${text}`, "Use a number of dollars above 0, such as 0.50.");
}

function millisecondsOf(text: string): number {
  const parsed = parseDuration(text);
  if ("problem" in parsed) throw usageError(`Invalid value for --timeout: ${text}`, parsed.problem);
  return parsed.milliseconds;
}

/** Reads and parses the file given with `--schema`. Throws a usage error. */
export function schemaIn(given: string): unknown {
  const path = resolve(given);
  try {
    const stats = statSync(path);
    if (!stats.isFile()) throw new Error("not a file");
    if (stats.size > MOST_SCHEMA_BYTES)
      throw new Error(`${shortBytes(stats.size)}; at most ${shortBytes(MOST_SCHEMA_BYTES)} are read`);
  } catch (error) {
    throw usageError(`--schema: Cannot read ${path}: ${errorText(error)}`);
  }
  const text = readText(path);
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw usageError(`--schema: ${path} is not JSON: ${errorText(error)}`, "It has to contain a JSON Schema.");
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8").replace(/^\ufeff/, "");
  } catch (error) {
    throw usageError(`--schema: Cannot read ${path}: ${errorText(error)}`);
  }
}
