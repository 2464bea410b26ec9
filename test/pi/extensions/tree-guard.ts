/** A branch with the label `keep` on it is not left. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  pi.on("session_before_tree", (event, ctx) => {
    const left = event.preparation.entriesToSummarize;
    if (left.some((entry) => ctx.sessionManager.getLabel(entry.id) === "keep")) return { cancel: true };
    return undefined;
  });
  pi.on("session_tree", (event, ctx) => {
    ctx.ui.notify(`moved from ${event.oldLeafId} to ${event.newLeafId}`, "info");
  });
}
