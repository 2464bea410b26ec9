/** Asks a model outside of the conversation, in every way there is. */
import { complete, completeSimple, streamSimple } from "@earendil-works/pi-ai";
import { convertToLlm, type ExtensionAPI, serializeConversation } from "@earendil-works/pi-coding-agent";

const textOf = (content: readonly { type: string; text?: string }[]) =>
  content.map((block) => block.text ?? "").join("");

export default function (pi: ExtensionAPI) {
  pi.registerCommand("opinion", {
    handler: async (args, ctx) => {
      if (!ctx.model) return ctx.ui.notify("no model", "error");
      const { messages } = ctx.sessionManager.buildSessionContext();
      const talk = serializeConversation(convertToLlm(messages));
      const question = { role: "user" as const, content: `${talk}\n\n${args}`, timestamp: Date.now() };
      const auth = await ctx.modelRegistry.getApiKeyAndHeaders(ctx.model);
      if (!auth.ok) return ctx.ui.notify(auth.error, "error");
      const request = { systemPrompt: "You are a critic.", messages: [question] };
      const first = await ctx.modelRegistry.complete(ctx.model, request);
      const second = await completeSimple(ctx.model, request, { reasoning: "low" });
      const third = await complete(ctx.model, request, { signal: ctx.signal });
      let streamed = "";
      for await (const event of streamSimple(ctx.model, request))
        if (event.type === "text_delta") streamed += event.delta;
      ctx.ui.notify([textOf(first.content), textOf(second.content), textOf(third.content), streamed].join("|"), "info");
      ctx.ui.notify(`${first.stopReason}, ${first.usage.cost.total > 0 ? "priced" : "free"}`, "info");
    },
  });
}
