/** A model that plans with one model and builds with another, and knows where it is. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  pi.registerVirtualModel<{ phase: string }>({
    provider: "wire",
    id: "auto",
    name: "Auto",
    thinkingLevels: ["low", "high"],
    contextWindow: 50_000,
    route(request, ctx) {
      const { reason, previous, failed, state } = request;
      const seen = [reason, state?.phase ?? "new", previous?.model.id ?? "none", failed?.message.stopReason ?? "fine"];
      ctx.ui.notify(`${request.model.id}: ${seen.join(" ")}`, "info");
      const find = (id: string) => ctx.modelRegistry.find("wire", id) as NonNullable<typeof previous>["model"];
      if (reason === "direct") return { model: find("first"), thinkingLevel: "off" };
      const phase = reason === "user" ? "plan" : "build";
      const model = find(phase === "plan" ? "first" : "second");
      return { model, thinkingLevel: "high", state: state?.phase === phase ? state : { phase } };
    },
  });
  pi.registerVirtualModel({
    provider: "nowhere",
    id: "lost",
    name: "Lost",
    route: (request, ctx) => ({ model: ctx.modelRegistry.find("wire", "auto") ?? request.model, thinkingLevel: "off" }),
  });
  pi.registerCommand("forget", {
    handler: async (_args, ctx) => {
      pi.unregisterVirtualModel("wire", "auto");
      ctx.ui.notify(String(ctx.modelRegistry.find("wire", "auto")?.id), "info");
    },
  });
}
