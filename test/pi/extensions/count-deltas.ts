/** Counts the pieces of an answer as it arrives. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  let text = "";
  let pieces = 0;
  pi.on("message_update", (event) => {
    if (event.assistantMessageEvent.type !== "text_delta") return;
    pieces++;
    text += event.assistantMessageEvent.delta;
  });
  pi.on("agent_end", (event, ctx) => {
    ctx.ui.notify(`${pieces} pieces: ${text}; ${event.messages.length} messages`, "info");
  });
}
