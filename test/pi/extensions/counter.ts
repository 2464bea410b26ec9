/** Counts prompts in entries that the model does not see, drawn as a line of their own. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Text } from "@earendil-works/pi-tui";

export default function (pi: ExtensionAPI) {
  let count = 0;
  pi.on("session_start", (_event, ctx) => {
    count = 0;
    for (const entry of ctx.sessionManager.getBranch()) {
      if (entry.type === "custom" && entry.customType === "count") count = (entry.data as { count: number }).count;
    }
  });
  pi.on("agent_end", () => {
    count++;
    pi.appendEntry("count", { count });
  });
  pi.registerEntryRenderer<{ count: number }>(
    "count",
    (entry, _options, theme) => new Text(theme.fg("accent", `prompt number ${entry.data?.count}`), 0, 0),
  );
  pi.registerCommand("count", { handler: async (_args, ctx) => ctx.ui.notify(`count ${count}`, "info") });
}
