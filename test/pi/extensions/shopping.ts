/** A shopping list in the details of tool results: each branch has its own. */
import { StringEnum } from "@earendil-works/pi-ai";
import type { ExtensionAPI, ExtensionContext } from "@earendil-works/pi-coding-agent";
import { Type } from "typebox";

interface Details {
  items: string[];
}

export default function (pi: ExtensionAPI) {
  let items: string[] = [];
  const rebuild = (ctx: ExtensionContext) => {
    items = [];
    for (const entry of ctx.sessionManager.getBranch()) {
      if (entry.type !== "message" || entry.message.role !== "toolResult") continue;
      if (entry.message.toolName === "shopping") items = (entry.message.details as unknown as Details).items;
    }
  };
  pi.on("session_start", (_event, ctx) => rebuild(ctx));
  pi.on("session_tree", (_event, ctx) => rebuild(ctx));
  pi.registerTool({
    name: "shopping",
    label: "Shopping list",
    description: "Keeps a shopping list",
    promptSnippet: "Keep the shopping list of the user",
    promptGuidelines: ["Use shopping whenever the user needs something from a shop."],
    parameters: Type.Object({
      action: StringEnum(["add", "list"] as const),
      item: Type.Optional(Type.String()),
    }),
    executionMode: "sequential",
    async execute(_id, { action, item }) {
      if (action === "add" && item) items = [...items, item];
      return { content: [{ type: "text", text: items.join(", ") || "(empty)" }], details: { items } };
    },
  });
  pi.registerCommand("shopping", {
    handler: async (_args, ctx) => ctx.ui.notify(`list: ${items.join(", ")}`, "info"),
  });
}
