/** `/pirate` switches a rule at the end of the system prompt on and off. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  let on = false;
  pi.registerCommand("pirate", {
    description: "Talk like a pirate",
    handler: async (_args, ctx) => {
      on = !on;
      ctx.ui.notify(on ? "Arrr" : "Back to normal", "info");
    },
  });
  pi.on("before_agent_start", (event) => {
    if (on) return { systemPrompt: `${event.systemPrompt}\n\nAnswer like a pirate.` };
    return undefined;
  });
}
