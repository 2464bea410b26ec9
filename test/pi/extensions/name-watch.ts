/** Names a session after its first prompt, and hears of every new name. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  pi.on("input", (event) => {
    if (pi.getSessionName() === undefined) pi.setSessionName(event.text.slice(0, 12));
  });
  pi.on("session_info_changed", (event, ctx) => {
    ctx.ui.notify(`called ${event.name}`, "info");
  });
}
