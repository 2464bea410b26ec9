/** Sees keys before anyone else: `~` never arrives, `§` becomes `$`. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  let stop: (() => void) | undefined;
  pi.on("session_start", (_event, ctx) => {
    stop = ctx.ui.onTerminalInput((data) => {
      if (data === "~") return { consume: true };
      if (data === "§") return { data: "$" };
      return undefined;
    });
  });
  pi.registerCommand("untap", { handler: async () => stop?.() });
}
