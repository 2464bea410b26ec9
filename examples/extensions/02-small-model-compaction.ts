/**
 * Has the cheapest model you have a key for write the summary of a compaction, whichever model you work with.
 * Uses `session_before_compact`, which may supply a whole compaction, `session_compact`, and `ctx.modelRegistry`.
 */
import type { ExtensionApi } from "bough/extension";

const SYSTEM = "Summarise the conversation in at most ten short lines: goal, decisions, open work, file names.";

export default function (bough: ExtensionApi) {
  bough.on("session_before_compact", async (event, ctx) => {
    const { entriesToSummarize, firstKeptEntryId, tokensBefore, previousSummary } = event.preparation;
    const priced = ctx.modelRegistry.available().filter((model) => model.prices !== undefined);
    const [cheapest] = priced.sort((a, b) => (a.prices?.output ?? 0) - (b.prices?.output ?? 0));
    // Saying nothing leaves the work to the model of the session.
    if (cheapest === undefined) return;

    const messages = entriesToSummarize.flatMap((entry) => (entry.type === "message" ? [entry.message] : []));
    const conversation = JSON.stringify({ previousSummary, focus: event.customInstructions, messages });
    const request = {
      system: SYSTEM,
      messages: [{ role: "user", content: conversation, timestamp: Date.now() } as const],
      tools: [],
      thinkingLevel: "off",
    } as const;
    let summary = "";
    const answer = ctx.modelRegistry.open(cheapest).stream(request, { signal: event.signal, now: Date.now });
    for await (const part of answer) {
      if (part.type === "text") summary += part.delta;
      // Half a summary forgets the other half: only one that came to its end counts.
      if (part.type === "end" && part.message.stopReason !== "stop") return;
    }
    if (summary.trim() === "") return;
    const details = { model: `${cheapest.provider}/${cheapest.id}` };
    return { compaction: { summary, firstKeptEntryId, tokensBefore, details } };
  });

  bough.on("session_compact", (event, ctx) => {
    const by = event.fromExtension ? "a small model" : "the model of this session";
    ctx.ui.notify(`Compacted ${event.compactionEntry.tokensBefore} tokens, summary by ${by}`);
  });
}
