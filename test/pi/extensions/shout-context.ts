/** Changes messages in place before each request. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  pi.on("context", (event) => {
    for (const message of event.messages) {
      if (message.role !== "user") continue;
      if (typeof message.content === "string") message.content = message.content.toUpperCase();
      else for (const block of message.content) if (block.type === "text") block.text = block.text.toUpperCase();
    }
    return { messages: event.messages };
  });
}
