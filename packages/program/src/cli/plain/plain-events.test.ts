import type { AgentEvent } from "@bough/agent/agent/index.js";
import { expect, test } from "vitest";
import { PlainEvents } from "./plain-events.js";

/** What is printed for these events. */
function printed(...events: readonly AgentEvent[]): string {
  let text = "";
  const plain = new PlainEvents((more) => {
    text += more;
  });
  for (const event of events) plain.handle(event);
  return text;
}

test("a call that was not allowed is refused, one that went wrong has failed, and others say nothing", () => {
  const ended = (result: { readonly isError: boolean; readonly details?: unknown }): AgentEvent => ({
    type: "tool_end",
    toolCallId: "c",
    toolName: "bash",
    result: { role: "toolResult", toolCallId: "c", toolName: "bash", content: [], timestamp: 1, ...result },
  });
  expect(
    printed(
      ended({ isError: true, details: { denied: true } }),
      ended({ isError: true, details: { exitCode: 1 } }),
      ended({ isError: true }),
      ended({ isError: false }),
    ),
  ).toBe("tool refused: bash\ntool failed: bash\ntool failed: bash\n");
});
