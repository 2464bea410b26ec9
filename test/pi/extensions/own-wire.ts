/** A provider with a stream of its own, which tells what it sends and what it gets. */
import { createAssistantMessageEventStream } from "@earendil-works/pi-ai";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  const heard: unknown[] = [];
  pi.on("before_provider_request", ({ payload }) => ({ ...(payload as object), seed: 7 }));
  pi.on("after_provider_response", ({ status }) => void heard.push(status));
  pi.on("provider_stream_event", ({ provider, model, data }) => void heard.push([provider, model, data]));
  pi.on("agent_end", (_event, ctx) => ctx.ui.notify(JSON.stringify(heard), "info"));
  pi.registerProvider("own", {
    baseUrl: "http://127.0.0.1:9",
    apiKey: "none",
    api: "own-wire",
    models: [
      {
        id: "one",
        name: "One",
        reasoning: false,
        input: ["text"],
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
        contextWindow: 1000,
        maxTokens: 100,
      },
    ],
    streamSimple(model, _context, options) {
      const stream = createAssistantMessageEventStream();
      const run = async () => {
        const body = ((await options?.onPayload?.({ ask: "hi" }, model)) ?? {}) as { seed?: number };
        await options?.onResponse?.({ status: 207, headers: {} }, model);
        await options?.onProviderStreamEvent?.({ raw: "hello" }, model);
        const message = {
          role: "assistant" as const,
          content: [{ type: "text" as const, text: `hello ${body.seed}` }],
          api: model.api,
          provider: model.provider,
          model: model.id,
          usage: {
            ...{ input: 1, output: 1, cacheRead: 0, cacheWrite: 0, totalTokens: 2 },
            cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
          },
          stopReason: "stop" as const,
          timestamp: Date.now(),
        };
        stream.push({ type: "done", reason: "stop", message });
        stream.end();
      };
      void run();
      return stream;
    },
  });
}
