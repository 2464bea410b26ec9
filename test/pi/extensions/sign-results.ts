/** Adds a line to what bash printed, and marks reads of rotten files as failed. */
import { type ExtensionAPI, isBashToolResult, isReadToolResult } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
  pi.on("tool_result", (event) => {
    if (isBashToolResult(event)) return { content: [...event.content, { type: "text", text: "-- signed" }] };
    if (isReadToolResult(event) && event.content.some((block) => block.type === "text" && /rotten/.test(block.text))) {
      return { content: [{ type: "text", text: "It is not fit to read." }], isError: true };
    }
    return undefined;
  });
}
