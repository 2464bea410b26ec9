/**
 * Writes the summary of a branch you leave by itself, without a model: what you asked, and the last answer.
 * Uses the event `session_before_tree` and answers it with a returned value.
 */
import type { ExtensionApi } from "bough/extension";

export default function (bough: ExtensionApi) {
  bough.on("session_before_tree", (event) => {
    const { userWantsSummary, entriesToSummarize } = event.preparation;
    if (!userWantsSummary || entriesToSummarize.length === 0) return;

    const asked: string[] = [];
    let answer = "(none)";
    for (const entry of entriesToSummarize) {
      if (entry.type !== "message") continue;
      const { message } = entry;
      if (message.role === "user") asked.push(`- ${textOf(message.content)}`);
      if (message.role === "assistant") answer = textOf(message.content) || answer;
    }
    if (asked.length === 0) return;
    const summary = ["## Asked", ...asked, "", "## Last answer", answer].join("\n");
    return { summary: { summary, details: { custom: true, questions: asked.length } } };
  });
}

function textOf(content: string | readonly { readonly type: string; readonly text?: unknown }[]): string {
  if (typeof content === "string") return content;
  return content.map((block) => (block.type === "text" ? String(block.text) : "")).join("");
}
