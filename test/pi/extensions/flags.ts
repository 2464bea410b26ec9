/** Options of the command line. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  pi.registerFlag("quiet-mode", { type: "boolean", description: "Say little", default: false });
  pi.registerFlag("region", { type: "string", description: "Where", default: "north" });
  pi.on("session_start", (_event, ctx) => {
    ctx.ui.notify(
      `quiet ${pi.getFlag("quiet-mode")}, region ${pi.getFlag("region")}, other ${pi.getFlag("other")}`,
      "info",
    );
  });
}
