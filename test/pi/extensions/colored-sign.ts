/** A working sign in a color of its own. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  pi.on("session_start", (_event, ctx) => {
    ctx.ui.setWorkingIndicator({ frames: ["\x1b[38;2;255;179;186m●\x1b[39m"], intervalMs: 80 });
  });
}
