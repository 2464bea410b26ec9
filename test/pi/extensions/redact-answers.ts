/** Takes a code word out of answers before they are kept. */
import type { AssistantMessage } from "@earendil-works/pi-ai";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  pi.on("message_end", (event) => {
    if (event.message.role !== "assistant") return undefined;
    const message = event.message as AssistantMessage;
    const content = message.content.map((block) =>
      block.type === "text" ? { ...block, text: block.text.replaceAll("swordfish", "***") } : block,
    );
    return { message: { ...message, content } };
  });
}
