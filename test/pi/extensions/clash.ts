/** A command with the name of a built-in one. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  pi.registerCommand("tree", { handler: async (args, ctx) => ctx.ui.notify(`my own tree: ${args}`, "info") });
}
