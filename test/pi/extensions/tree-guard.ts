/** A leaf with the label `keep` is not left. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  pi.on("session_before_tree", (event, ctx) => {
    const { oldLeafId } = event.preparation;
    if (oldLeafId !== null && ctx.sessionManager.getLabel(oldLeafId) === "keep") return { cancel: true };
    return undefined;
  });
  pi.on("session_tree", (event, ctx) => {
    ctx.ui.notify(`moved from ${event.oldLeafId} to ${event.newLeafId}`, "info");
  });
}
