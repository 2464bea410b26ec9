/** A compaction in one line. */
import { shortCount } from "../../text/index.js";

/**
 * "summarized 41k tokens into 3k": the size of the whole context before and after, including the summary and what was
 * kept. Entries of other programs and of older versions lack the size after it.
 */
export function compactionWords(entry: { readonly tokensBefore?: unknown; readonly tokensAfter?: unknown }): string {
  const { tokensBefore: before, tokensAfter: after } = entry;
  if (typeof before !== "number" || !(before > 0)) return "summarized older messages";
  if (typeof after !== "number" || !(after > 0)) return `summarized ${roundCount(before)} tokens`;
  return `summarized ${roundCount(before)} tokens into ${roundCount(after)}`;
}

/** The other way to start a context over: without a summary. */
export const RESET_WORDS = "cleared: the model sees nothing of what came before";

/** "3k" rather than "3.0k", because both numbers are estimates. */
function roundCount(count: number): string {
  return shortCount(count).replace(/\.0(?=[kM])/, "");
}
