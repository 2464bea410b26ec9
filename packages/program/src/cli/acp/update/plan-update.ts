/** The model's todo list as a plan of the protocol. */
import type { PlanEntry, SessionUpdate } from "@agentclientprotocol/sdk/unstable";
import type { TodoItem } from "@bough/session/entry/index.js";

const STATES: Readonly<Record<TodoItem["status"], PlanEntry["status"]>> = {
  pending: "pending",
  in_progress: "in_progress",
  done: "completed",
};

/** The whole plan: it replaces the previous one. */
export function planUpdate(items: readonly TodoItem[]): SessionUpdate {
  const entries = items.map(
    ({ text, status }): PlanEntry => ({ content: text, priority: "medium", status: STATES[status] }),
  );
  return { sessionUpdate: "plan", entries };
}
