/** The model asks for a reload, which happens once it has answered. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Type } from "typebox";

export default function (pi: ExtensionAPI) {
  const version = readFileSync(join(process.env.RELOAD_FOLDER ?? "", "version.txt"), "utf8");
  let isWanted = false;
  pi.registerCommand("reload-all", { handler: async (_args, ctx) => ctx.reload() });
  pi.registerTool({
    name: "reload_all",
    label: "Reload",
    description: "Reloads extensions",
    parameters: Type.Object({}),
    async execute() {
      isWanted = true;
      return { content: [{ type: "text", text: "soon" }], details: {}, terminate: true };
    },
  });
  pi.on("agent_settled", () => {
    if (!isWanted) return;
    isWanted = false;
    pi.sendUserMessage("/reload-all", { expandPromptTemplates: true });
  });
  pi.on("session_start", (event, ctx) => ctx.ui.notify(`version ${version} (${event.reason})`, "info"));
}
