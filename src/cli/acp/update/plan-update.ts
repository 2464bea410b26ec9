/** The todo list of the model as the protocol's plan. */
import type { PlanEntry, SessionUpdate } from "@agentclientprotocol/sdk/unstable";
import type { ToolResultMessage } from "../../../entry/index.js";
import { isRecord } from "../../../text/index.js";

const TODO_TOOL = "todo";
const STATES: Readonly<Record<string, PlanEntry["status"]>> = {
  pending: "pending",
  in_progress: "in_progress",
  done: "completed",
};

/** The whole plan, if this is the result of the tool that keeps the list. What is not an item is left out. */
export function planUpdate({ toolName, details, isError }: ToolResultMessage): SessionUpdate | undefined {
  if (toolName !== TODO_TOOL || isError || !isRecord(details) || !Array.isArray(details.items)) return undefined;
  const entries = details.items.flatMap((item: unknown): PlanEntry[] => {
    if (!isRecord(item) || typeof item.text !== "string" || typeof item.status !== "string") return [];
    const status = Object.hasOwn(STATES, item.status) ? STATES[item.status] : undefined;
    return status === undefined ? [] : [{ content: item.text, priority: "medium", status }];
  });
  return { sessionUpdate: "plan", entries };
}
