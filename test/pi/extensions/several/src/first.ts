/** One of the extensions of a package, with a dependency of the package's own. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { grow } from "tiny-trees";
import { double } from "./shared.js";

export default function (pi: ExtensionAPI) {
  pi.registerCommand("first", { handler: async (args, ctx) => ctx.ui.notify(`${grow(args)} ${double(4)}`, "info") });
}
