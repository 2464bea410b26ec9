/** Adds a guideline and a section to the system prompt by its options. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  pi.on("before_agent_start", (event) => {
    event.systemPromptOptions.promptGuidelines.push("Prefer tabs over spaces.");
    event.systemPromptOptions.sections.glossary = "A bough is a branch.";
  });
}
