/** One key lets the model think more; after the most, not at all. */
import type { AgentSession } from "@bough/agent/agent/index.js";
import { THINKING_LEVELS } from "@bough/agent/model/index.js";

/** Reports the new level. */
export function nextThinkingLevel(agent: AgentSession): string {
  const { model } = agent;
  if (model === undefined) return "No model is selected. /model lists them.";
  if (!model.info.reasoning) return `${model.info.name} does not support thinking.`;
  const next = THINKING_LEVELS[(THINKING_LEVELS.indexOf(agent.thinkingLevel) + 1) % THINKING_LEVELS.length] ?? "off";
  agent.setThinkingLevel(next);
  return `Thinking: ${next}`;
}
