/** Status, widgets above and below the editor, a title, and words for the wait. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Text } from "@earendil-works/pi-tui";

export default function (pi: ExtensionAPI) {
  pi.on("session_start", (_event, ctx) => {
    ctx.ui.setTitle("The dashboard");
    ctx.ui.setStatus("weather", ctx.ui.theme.fg("accent", "sunny"));
    ctx.ui.setWidget("above", ["over the editor"]);
    ctx.ui.setWidget("below", (_tui, theme) => new Text(theme.fg("muted", "under the editor"), 0, 0), {
      placement: "belowEditor",
    });
    ctx.ui.setWorkingMessage("Growing leaves");
    ctx.ui.setWorkingIndicator({ frames: ["*"] });
    ctx.ui.setHiddenThinkingLabel("pondering");
  });
  pi.registerCommand("clean", {
    handler: async (_args, ctx) => {
      ctx.ui.setStatus("weather", undefined);
      ctx.ui.setWidget("above", undefined);
      ctx.ui.setWidget("below", undefined);
      ctx.ui.setWorkingMessage();
      ctx.ui.setWorkingIndicator();
      ctx.ui.setWorkingVisible(true);
      ctx.ui.notify("clean", "info");
    },
  });
}
