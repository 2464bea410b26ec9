/** Keeps messages of the type `scratch` out of what the model is shown. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  pi.registerCommand("scratch", {
    handler: async (args) => {
      pi.sendMessage({ customType: "scratch", content: args, display: true });
    },
  });
  pi.on("context", (event) => ({
    messages: event.messages.filter((message) => !(message.role === "custom" && message.customType === "scratch")),
  }));
}
