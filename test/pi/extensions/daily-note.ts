/** Puts a note in front of the model with each prompt, hidden from the user. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  pi.on("before_agent_start", async (event) => ({
    message: { customType: "note", content: `The prompt has ${event.prompt.length} characters.`, display: false },
  }));
}
