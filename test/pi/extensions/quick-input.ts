/** `?question` asks for a short answer, `ping` never reaches the model. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  pi.on("input", (event, ctx) => {
    if (event.source === "extension") return { action: "continue" };
    if (event.text === "ping") {
      ctx.ui.notify("pong", "info");
      return { action: "handled" };
    }
    if (event.text.startsWith("?"))
      return { action: "transform", text: `In one sentence: ${event.text.slice(1).trim()}` };
    return { action: "continue" };
  });
}
