/** Keeps every word: compactions are cancelled. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  pi.on("session_before_compact", () => ({ cancel: true }));
  pi.on("session_compact_failed", (event, ctx) => {
    ctx.ui.notify(`not compacted (${event.reason}, aborted ${event.aborted})`, "warning");
  });
}
