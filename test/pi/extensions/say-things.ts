/** Messages of every kind. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  pi.registerCommand("ask", { handler: async (args) => pi.sendUserMessage(args) });
  pi.registerCommand("ask-blocks", {
    handler: async (args) => pi.sendUserMessage([{ type: "text", text: args }], { deliverAs: "followUp" }),
  });
  pi.registerCommand("tell", {
    handler: async (args) =>
      pi.sendMessage({ customType: "told", content: args, display: true, details: { by: "tell" } }),
  });
  pi.registerCommand("tell-now", {
    handler: async (args) =>
      pi.sendMessage({ customType: "told", content: args, display: true }, { triggerTurn: true }),
  });
  pi.registerCommand("tell-later", {
    handler: async (args) =>
      pi.sendMessage({ customType: "told", content: args, display: false }, { deliverAs: "nextTurn" }),
  });
}
