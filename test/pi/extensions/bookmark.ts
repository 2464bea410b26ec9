/** Labels the last answer, and finds labels again. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  pi.registerCommand("bookmark", {
    handler: async (args, ctx) => {
      const last = ctx.sessionManager
        .getBranch()
        .findLast((entry) => entry.type === "message" && entry.message.role === "assistant");
      if (last === undefined) return ctx.ui.notify("nothing to label", "warning");
      pi.setLabel(last.id, args || undefined);
      ctx.ui.notify(`label: ${ctx.sessionManager.getLabel(last.id)}`, "info");
    },
  });
}
