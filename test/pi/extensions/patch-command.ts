/** Changes the command of a call in place, before it runs. */
import { type ExtensionAPI, isToolCallEventType } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  pi.on("tool_call", (event) => {
    if (isToolCallEventType("bash", event)) event.input.command = `WHO=patched; ${event.input.command}`;
  });
}
