/** Hears of the first turn alone. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  const stop = pi.on("turn_start", (_event, ctx) => {
    ctx.ui.notify("a turn", "info");
    stop();
  });
}
