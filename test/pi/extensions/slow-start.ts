/** A factory that waits for something before it registers anything. */
import { readFile } from "node:fs/promises";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default async function (pi: ExtensionAPI) {
  const text = await readFile(new URL(import.meta.url), "utf8");
  const words = text.split(/\s+/).length;
  pi.registerCommand("words", { handler: async (_args, ctx) => ctx.ui.notify(`${words > 10}`, "info") });
}
