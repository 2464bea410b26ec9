import type { CompleteRequest, ExtensionContext } from "../../extension/index.js";
import type { LanguageModel } from "../../model/index.js";
import type { AgentSession } from "../agent-session.js";
import { requireModel, withCost } from "../turn/stream-step.js";

/** Asks a model once, outside the conversation. The cost is recorded in the session, so that totals include it. */
export async function complete(
  agent: AgentSession,
  request: CompleteRequest,
): ReturnType<ExtensionContext["complete"]> {
  const { prompt = "", messages, systemPrompt = "", thinkingLevel = "off", maxTokens: maxOutput, signal } = request;
  const model = modelFor(agent, request.model);
  const timestamp = Date.now();
  const asked = messages ?? [{ role: "user", content: prompt, timestamp } as const];
  const step = { system: systemPrompt, messages: asked, tools: [], thinkingLevel, maxOutput };
  for await (const event of model.stream(step, { now: Date.now, signal })) {
    if (event.type !== "end") continue;
    const message = withCost(event.message, model.info);
    agent.recordUsage("extension", message);
    if (event.failure !== undefined) throw new Error(event.failure.message);
    if (message.stopReason === "aborted") throw new Error("The request was stopped");
    const text = message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
    return { text, message };
  }
  throw new Error("The answer ended before it was complete");
}

function modelFor(agent: AgentSession, wanted: CompleteRequest["model"]): LanguageModel {
  if (wanted === undefined) return requireModel(agent);
  const { registry } = agent;
  return registry.open(typeof wanted === "string" ? registry.resolve(wanted) : wanted);
}
