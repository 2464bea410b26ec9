/** Writes the name of every lifecycle event to `events.log`, in the order they come. */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

const NAMES = [
  "session_start",
  "input",
  "before_agent_start",
  "agent_start",
  "turn_start",
  "context",
  "message_start",
  "message_end",
  "tool_call",
  "tool_execution_start",
  "tool_execution_end",
  "tool_result",
  "turn_end",
  "agent_end",
  "agent_settled",
  "session_shutdown",
] as const;

export default function (pi: ExtensionAPI) {
  for (const name of NAMES) {
    pi.on(name as "agent_start", (event, ctx) => {
      const { message } = event as unknown as { message?: { role: string } };
      appendFileSync(join(ctx.cwd, "events.log"), `${event.type}${message ? `:${message.role}` : ""}\n`);
    });
  }
}
