/** Reads itself again. */
import { readFileSync } from "node:fs";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  const version = readFileSync(`${process.env.AGAIN_FOLDER}/version.txt`, "utf8").trim();
  pi.on("session_start", (event, ctx) => {
    ctx.ui.notify(`version ${version} (${event.reason})`, "info");
  });
  pi.registerCommand("again", {
    handler: async (_args, ctx) => {
      await ctx.reload();
    },
  });
}
