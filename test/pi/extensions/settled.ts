/** Says when nothing more will happen by itself. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  pi.on("agent_settled", (_event, ctx) => {
    ctx.ui.notify(`settled, ${ctx.isIdle() ? "idle" : "busy"}`, "info");
  });
}
