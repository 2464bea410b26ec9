/** A provider behind an address of its own, with its models and its key. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  pi.registerProvider("gateway", {
    name: "The gateway",
    baseUrl: process.env.GATEWAY_URL ?? "",
    apiKey: "$GATEWAY_KEY",
    api: "openai-completions",
    headers: { "x-team": "trees" },
    models: [
      {
        id: "oak",
        name: "Oak",
        reasoning: false,
        input: ["text", "image"],
        cost: { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 1 },
        contextWindow: 64000,
        maxTokens: 4000,
      },
    ],
  });
  pi.registerCommand("oak", {
    handler: async (_args, ctx) => {
      const model = ctx.modelRegistry.find("gateway", "oak");
      ctx.ui.notify(`${model?.name}: ${model && (await pi.setModel(model))}`, "info");
    },
  });
  pi.registerCommand("no-gateway", {
    handler: async (_args, ctx) => {
      pi.unregisterProvider("gateway");
      ctx.ui.notify(`found ${ctx.modelRegistry.find("gateway", "oak") === undefined ? "nothing" : "it"}`, "info");
    },
  });
}
