/** A header and a footer of its own. */
import type { AssistantMessage } from "@earendil-works/pi-ai";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";

export default function (pi: ExtensionAPI) {
  pi.on("session_start", (_event, ctx) => {
    ctx.ui.setStatus("moon", "full moon");
    ctx.ui.setHeader((_tui, theme) => ({
      render: (width) => [truncateToWidth(theme.bold("The orchard"), width)],
      invalidate() {},
    }));
    ctx.ui.setFooter((tui, theme, data) => {
      const stop = data.onBranchChange(() => tui.requestRender());
      return {
        dispose: stop,
        invalidate() {},
        render(width) {
          let cost = 0;
          for (const entry of ctx.sessionManager.getBranch()) {
            if (entry.type !== "message" || entry.message.role !== "assistant") continue;
            cost += (entry.message as AssistantMessage).usage.cost.total;
          }
          const left = theme.fg("dim", `spent $${cost.toFixed(3)} on ${data.getGitBranch() ?? "no branch"}`);
          const right = [...data.getExtensionStatuses().values()].join(" ");
          const gap = " ".repeat(Math.max(1, width - visibleWidth(left) - visibleWidth(right)));
          return [truncateToWidth(left + gap + right, width)];
        },
      };
    });
  });
  pi.registerCommand("unframe", {
    handler: async (_args, ctx) => {
      ctx.ui.setHeader(undefined);
      ctx.ui.setFooter(undefined);
    },
  });
}
