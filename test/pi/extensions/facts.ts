/** What the context says of the session. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  pi.registerCommand("facts", {
    handler: async (_args, ctx) => {
      const usage = ctx.getContextUsage();
      const facts = {
        mode: ctx.mode,
        hasUI: ctx.hasUI,
        idle: ctx.isIdle(),
        pending: ctx.hasPendingMessages(),
        trusted: ctx.isProjectTrusted(),
        signal: ctx.signal === undefined,
        window: usage?.contextWindow,
        counted: typeof usage?.tokens === "number" && typeof usage.percent === "number",
        prompt: ctx.getSystemPrompt().length > 0,
        options: ctx.getSystemPromptOptions().cwd === ctx.cwd,
        scoped: ctx.scopedModels.length,
        model: `${ctx.model?.provider}/${ctx.model?.id}`,
        level: ctx.thinkingLevel,
      };
      ctx.ui.notify(JSON.stringify(facts), "info");
    },
  });
  pi.registerCommand("stop", { handler: async (_args, ctx) => ctx.abort() });
  pi.registerCommand("bye", { handler: async (_args, ctx) => ctx.shutdown() });
}
