/** Adds a line to what bash printed, and marks reads of empty files as failed. */
import { type ExtensionAPI, isBashToolResult, isReadToolResult } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  pi.on("tool_result", (event) => {
    if (isBashToolResult(event)) return { content: [...event.content, { type: "text", text: "-- signed" }] };
    if (isReadToolResult(event) && event.content.every((block) => block.type === "text" && block.text.trim() === "")) {
      return { content: [{ type: "text", text: "There is nothing in it." }], isError: true };
    }
    return undefined;
  });
}
