/** A compaction in one line. */
import { shortCount } from "../../text/index.js";

/**
 * "compacted 41k tokens to 3k": the whole context before and after, the summary and what was kept with it.
 * Entries of other programs and of older versions do not say what was left.
 */
export function compactionWords(entry: { readonly tokensBefore?: unknown; readonly tokensAfter?: unknown }): string {
  const { tokensBefore: before, tokensAfter: after } = entry;
  if (typeof before !== "number" || !(before > 0)) return "compacted";
  if (typeof after !== "number" || !(after > 0)) return `compacted ${roundCount(before)} tokens`;
  return `compacted ${roundCount(before)} tokens to ${roundCount(after)}`;
}

/** The other way to start a context over: without a summary. */
export const RESET_WORDS = "cleared: the model sees nothing of what came before";

/** "3k" rather than "3.0k": both numbers are about right at best. */
function roundCount(count: number): string {
  return shortCount(count).replace(/\.0(?=[kM])/, "");
}
