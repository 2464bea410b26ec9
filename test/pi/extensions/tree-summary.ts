/** Writes the summary of a branch that is left, without a model. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  pi.on("session_before_tree", (event) => {
    if (!event.preparation.userWantsSummary) return undefined;
    const prompts = event.preparation.entriesToSummarize.filter(
      (entry) => entry.type === "message" && entry.message.role === "user",
    );
    return { summary: { summary: `A branch with ${prompts.length} prompt(s).`, details: { prompts: prompts.length } } };
  });
}
