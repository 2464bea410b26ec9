/** A guard that fails. pi blocks the call then. */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  pi.on("tool_call", () => {
    throw new Error("the guard is ill");
  });
}
