/**
 * Names a session after its first prompt, once the first run has ended. A name you gave stays.
 * Uses `agent_end`, `getSessionName` and `setSessionName`.
 */
import type { ExtensionApi } from "bough/extension";

const LONGEST = 40;

export default function (bough: ExtensionApi) {
  bough.on("agent_end", (_event, ctx) => {
    if (bough.getSessionName() !== undefined) return;
    for (const entry of ctx.currentPath) {
      if (entry.type !== "message" || entry.message.role !== "user") continue;
      const { content } = entry.message;
      const text =
        typeof content === "string" ? content : content.map((part) => ("text" in part ? part.text : "")).join(" ");
      const words = text.replace(/\s+/g, " ").trim();
      bough.setSessionName(words.length > LONGEST ? `${words.slice(0, LONGEST - 1)}…` : words);
      return;
    }
  });
}
