/** A model of its own that repeats what it hears. */
import {
  type AssistantMessage,
  calculateCost,
  contentText,
  createAssistantMessageEventStream,
  getCurrentSystemPrompt,
  getCurrentTools,
} from "@earendil-works/pi-ai";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  pi.registerProvider("birds", {
    baseUrl: "http://localhost",
    apiKey: "none",
    api: "bird-song",
    models: [
      {
        id: "parrot",
        name: "Parrot",
        reasoning: false,
        input: ["text"],
        cost: { input: 1_000_000, output: 0, cacheRead: 0, cacheWrite: 0 },
        contextWindow: 8000,
        maxTokens: 1000,
      },
    ],
    streamSimple: (model, context) => {
      const stream = createAssistantMessageEventStream();
      const heard = context.messages.findLast((message) => message.role === "user");
      const text = contentText(heard?.content ?? "");
      const tools = getCurrentTools(context.messages).length > 0 ? "with tools" : "without tools";
      const prompt = getCurrentSystemPrompt(context.messages).length > 0 ? "told what to do" : "told nothing";
      const message: AssistantMessage = {
        role: "assistant",
        content: [],
        api: model.api,
        provider: model.provider,
        model: model.id,
        usage: {
          input: 2,
          output: 1,
          cacheRead: 0,
          cacheWrite: 0,
          totalTokens: 3,
          cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
        },
        stopReason: "stop",
        timestamp: Date.now(),
      };
      calculateCost(model, message.usage);
      queueMicrotask(() => {
        stream.push({ type: "start", partial: message });
        message.content.push({ type: "text", text: "" });
        stream.push({ type: "text_start", contentIndex: 0, partial: message });
        for (const delta of ["Squawk: ", `${text} (${tools}, ${prompt})`]) {
          const block = message.content[0];
          if (block?.type === "text") block.text += delta;
          stream.push({ type: "text_delta", contentIndex: 0, delta, partial: message });
        }
        stream.push({ type: "text_end", contentIndex: 0, content: text, partial: message });
        stream.push({ type: "done", reason: "stop", message });
      });
      return stream;
    },
  });
}
