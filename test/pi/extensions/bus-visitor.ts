/** Rings the bell of another extension. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  let heard = 0;
  pi.events.on("bell:rung", (data) => {
    heard = (data as { rung: number }).rung;
  });
  pi.registerCommand("ring", {
    handler: async (args, ctx) => {
      pi.events.emit("bell:ring", { times: Number(args) });
      ctx.ui.notify(`heard ${heard}`, "info");
    },
  });
}
