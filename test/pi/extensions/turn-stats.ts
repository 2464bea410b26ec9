/** Says at the end of each turn which one it was and how many tools ran, and adds up the cost. */
import type { AssistantMessage } from "@earendil-works/pi-ai";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  let cost = 0;
  pi.on("turn_end", (event, ctx) => {
    const { usage } = event.message as AssistantMessage;
    cost += usage.cost.total;
    ctx.ui.notify(`turn ${event.turnIndex}: ${event.toolResults.length} tools, $${cost.toFixed(2)}`, "info");
  });
}
