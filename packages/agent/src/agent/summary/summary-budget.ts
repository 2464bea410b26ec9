import type { ModelInfo } from "../../model/index.js";

/** Reserved for instructions, headings and estimation errors. */
const MARGIN_TOKENS = 4_000;

/** How much conversation to give a model to summarize, so that its answer still fits into its window. */
export function summaryBudget(model: ModelInfo | undefined): { readonly maxTokens?: number } {
  if (model === undefined || !(model.contextWindow > 0)) return {};
  const answer = Math.min(model.maxOutput, Math.floor(model.contextWindow / 4));
  const rest = model.contextWindow - answer - MARGIN_TOKENS;
  // A small local model: half of its window is still better than nothing.
  return { maxTokens: Math.max(rest, Math.floor(model.contextWindow / 2)) };
}
