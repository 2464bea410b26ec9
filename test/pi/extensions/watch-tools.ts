/** Follows tools from their start to their end. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  pi.on("tool_execution_start", (event, ctx) => {
    ctx.ui.notify(`start ${event.toolName} ${JSON.stringify(event.args)}`, "info");
  });
  pi.on("tool_execution_update", (event, ctx) => {
    ctx.ui.notify(`update ${event.toolName} ${event.partialResult.content[0].text}`, "info");
  });
  pi.on("tool_execution_end", (event, ctx) => {
    ctx.ui.notify(`end ${event.toolName} ${event.isError ? "failed" : "fine"}`, "info");
  });
}
