/** Says which model and which thinking level were chosen. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  pi.on("model_select", (event, ctx) => {
    const { model, previousModel } = event;
    const images = model.input.includes("image") ? "sees images" : "text only";
    ctx.ui.notify(
      `${previousModel?.id} -> ${model.id} (${images}, ${model.maxTokens} out, $${model.cost.output})`,
      "info",
    );
  });
  pi.on("thinking_level_select", (event, ctx) => {
    ctx.ui.notify(`thinking ${event.previousLevel} -> ${event.level}`, "info");
  });
  pi.registerCommand("use", {
    handler: async (args, ctx) => {
      const [provider = "", id = ""] = args.split("/");
      const model = ctx.modelRegistry.find(provider, id);
      const done = model !== undefined && (await pi.setModel(model));
      ctx.ui.notify(done ? `now ${ctx.model?.id}` : `no model ${args}`, done ? "info" : "error");
    },
  });
  pi.registerCommand("think", {
    handler: async (args, ctx) => {
      pi.setThinkingLevel(args as "high");
      ctx.ui.notify(`level ${pi.getThinkingLevel()}`, "info");
    },
  });
}
