/** `/learn <name>` adds a tool while the session runs; `/only <names>` leaves the model these tools. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Type } from "typebox";

export default function (pi: ExtensionAPI) {
  pi.registerCommand("learn", {
    handler: async (name, ctx) => {
      pi.registerTool({
        name,
        label: name,
        description: `Does ${name}`,
        parameters: Type.Object({}),
        execute: async () => ({ content: [{ type: "text", text: `${name} done` }], details: undefined }),
      });
      const info = pi.getAllTools().find((tool) => tool.name === name);
      ctx.ui.notify(`learned ${info?.description}`, "info");
    },
  });
  pi.registerCommand("only", {
    handler: async (names, ctx) => {
      pi.setActiveTools(names.split(" "));
      ctx.ui.notify(`active: ${pi.getActiveTools().join(", ")}`, "info");
    },
  });
}
