/** The thread that a call started. Codex returns the ID of the new agent as the call's output. */
import { isRecord } from "@bough/session/text/index.js";
import { stringIn } from "../foreign-lines.js";
import { readContent, textOfBlocks } from "./item-content.js";

export function startedThread(tool: string, output: unknown): string | undefined {
  if (!tool.endsWith("spawn_agent")) return undefined;
  const text = textOfBlocks(readContent(output).blocks);
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? (stringIn(value.agent_id) ?? stringIn(value.thread_id)) : undefined;
  } catch {
    // Newer versions return prose, in which the ID is the only UUID.
    return /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(text)?.[0];
  }
}
