/** Has the model check its work once, when it believes it is done. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  let checked = false;
  pi.on("input", () => {
    checked = false;
  });
  pi.on("agent_before_settle", (event) => {
    if (checked || event.outcome !== "completed") return undefined;
    checked = true;
    return {
      entries: [{ type: "custom_message", customType: "check", content: "Check your work once more.", display: true }],
      continue: true,
    };
  });
}
