/** How an agent takes up its session, and how it leaves it. */
import type { AgentState } from "./agent-state.js";
import { takeInDrafts } from "./turn/take-in-drafts.js";
import { tellTools } from "./turn/tell-tools.js";

export async function beginSession(state: AgentState): Promise<void> {
  takeInDrafts(state);
  await tellTools(state, { reason: "start" });
  await state.hooks.emit<"session_start">({ type: "session_start" });
}

export async function endSession(state: AgentState): Promise<void> {
  await state.hooks.emit<"session_shutdown">({ type: "session_shutdown" });
  await tellTools(state, { reason: "shutdown" });
  try {
    // So that closing has nothing left to wait for: two hundred agents that end together do not stop each other.
    await state.session.flush();
  } finally {
    state.session.close();
  }
}
