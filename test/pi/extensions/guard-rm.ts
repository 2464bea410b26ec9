/** Refuses to delete folders, and asks before anything is pushed. */
import { type ExtensionAPI, isToolCallEventType } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  pi.on("tool_call", async (event, ctx) => {
    if (!isToolCallEventType("bash", event)) return undefined;
    if (/\brm\s+-rf?\b/.test(event.input.command)) return { block: true, reason: "Folders are not deleted here." };
    if (/\bgit push\b/.test(event.input.command)) {
      if (!ctx.hasUI) return { block: true, reason: "Nobody can be asked." };
      const choice = await ctx.ui.select("Push to the server?", ["Yes", "No"]);
      if (choice !== "Yes") return { block: true, reason: "The user does not want to push." };
    }
    return undefined;
  });
}
