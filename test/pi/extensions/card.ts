/** Draws messages of its own as a card that can be unfolded. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Box, Text } from "@earendil-works/pi-tui";

export default function (pi: ExtensionAPI) {
  pi.registerMessageRenderer<{ level: string }>("card", (message, { expanded }, theme) => {
    const box = new Box(1, 0, (text) => theme.bg("customMessageBg", text));
    box.addChild(new Text(theme.fg("warning", `[${message.details?.level}] ${String(message.content)}`), 0, 0));
    if (expanded) box.addChild(new Text(theme.fg("dim", "more of it"), 0, 0));
    return box;
  });
  pi.registerCommand("card", {
    handler: async (args) => {
      pi.sendMessage({ customType: "card", content: args, display: true, details: { level: "HIGH" } });
    },
  });
}
