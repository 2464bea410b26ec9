import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  pi.registerCommand("second", { handler: async (_args, ctx) => ctx.ui.notify("second", "info") });
}
