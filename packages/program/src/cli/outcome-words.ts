import type { RunOutcome } from "@bough/agent/agent/index.js";

/** What the model said at the end. */
export function wordsOf(outcome: RunOutcome): string {
  if (outcome.kind !== "done" || outcome.message === undefined) return "";
  const texts = outcome.message.content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  return texts.join("\n\n").trimEnd();
}
