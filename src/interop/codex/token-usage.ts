/** Codex's token counts as usage. It counts cached tokens as input, and reasoning as output. */
import type { Usage } from "../../entry/index.js";
import { defined, isRecord } from "../../text/index.js";

export function usageOf(tokens: unknown): Usage | undefined {
  if (!isRecord(tokens)) return undefined;
  const input = numberIn(tokens.input_tokens);
  const output = numberIn(tokens.output_tokens);
  if (input === undefined && output === undefined) return undefined;
  const cached = numberIn(tokens.cached_input_tokens) ?? 0;
  const written = numberIn(tokens.cache_write_input_tokens) ?? 0;
  const reasoning = numberIn(tokens.reasoning_output_tokens);
  return {
    input: Math.max(0, (input ?? 0) - cached - written),
    output: output ?? 0,
    cacheRead: cached,
    cacheWrite: written,
    totalTokens: numberIn(tokens.total_tokens) ?? (input ?? 0) + (output ?? 0),
    ...defined({ reasoning }),
  };
}

function numberIn(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}
