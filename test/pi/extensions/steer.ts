/** While the model works with tools, tells it something before its next step. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  let told = false;
  pi.on("tool_execution_end", () => {
    if (told) return;
    told = true;
    pi.sendMessage({ customType: "steer", content: "Be quick.", display: true }, { deliverAs: "steer" });
  });
}
