import type { RunOutcome } from "@bough/agent/agent/index.js";

/** The text of the last answer. */
export function wordsOf(outcome: RunOutcome): string {
  if (outcome.kind !== "done" || outcome.message === undefined) return "";
  const texts = outcome.message.content.flatMap((block) => (block.type === "text" ? [block.text] : []));
  return texts.join("\n\n").trimEnd();
}
