/** One key lets the model think more; after the most, not at all. */

import type { AgentSession } from "@bough/agent/agent/index.js";
import { THINKING_LEVELS } from "@bough/agent/model/index.js";
import type { Notice } from "@bough/session/text/index.js";

/** Reports the new level. */
export function nextThinkingLevel(agent: AgentSession): string | Notice {
  const { model } = agent;
  if (model === undefined) return { message: "No model is selected.", hint: "/model lists them." };
  if (!model.info.reasoning) return `${model.info.name} does not support thinking.`;
  const next = THINKING_LEVELS[(THINKING_LEVELS.indexOf(agent.thinkingLevel) + 1) % THINKING_LEVELS.length] ?? "off";
  agent.setThinkingLevel(next);
  return `Thinking: ${next}`;
}
