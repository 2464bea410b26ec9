/**
 * `/look on` leaves the model only the tools that read; `/look off` gives it back the ones it had.
 * Uses a command with arguments, `getActiveTools` and `setActiveTools`.
 */
import type { ExtensionApi } from "bough/extension";

const READING = ["read", "grep", "find", "ls"];

export default function (bough: ExtensionApi) {
  let before: readonly string[] | undefined;

  bough.registerCommand("look", {
    description: "Only reading: on, or off",
    handler(args, ctx) {
      if (args.trim() === "off") {
        if (before !== undefined) bough.setActiveTools(before);
        before = undefined;
        ctx.ui.notify("All tools are available");
        return;
      }
      before ??= bough.getActiveTools();
      bough.setActiveTools(before.filter((name) => READING.includes(name)));
      ctx.ui.notify(`Available: ${bough.getActiveTools().join(", ")}`);
    },
  });
}
