/** A tool that would call another one, the system prompt of a single request, and providers by name. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Type } from "typebox";

export default function (pi: ExtensionAPI) {
  pi.registerTool({
    name: "conduct",
    label: "Conduct",
    description: "Has another tool play",
    parameters: Type.Object({}),
    exposure: "model-only",
    execute: async (_id, _params, _signal, _onUpdate, ctx) => {
      const played = await ctx.executeTool("read", { path: "notes.txt" });
      const [block] = played.content;
      const text = `${ctx.tools.length} tools, ${played.isError}: ${block?.type === "text" ? block.text : ""}`;
      return { content: [{ type: "text", text }], details: {} };
    },
  });
  pi.on("context_with_system", (event) => {
    const [first, ...rest] = event.messages;
    const isSystem = first?.role === "system" && String(first.content).includes("Current working directory");
    const marked = rest.map((message) =>
      message.role === "user"
        ? { ...message, content: `${isSystem ? "after" : "without"} the system prompt` }
        : message,
    );
    return { messages: first === undefined ? marked : [first, ...marked] };
  });
  pi.registerCommand("ensemble", {
    handler: async (_args, ctx) => {
      const provider = ctx.modelRegistry.getProvider("wire");
      const ids = provider?.getModels().map(({ id }) => id);
      ctx.ui.notify(`${provider?.name} ${ids?.join(" ")} ${ctx.modelRegistry.getProvider("nobody")}`, "info");
    },
  });
}
