import { defined } from "@bough/session/text/index.js";
import { soundContent } from "../../tool/index.js";
import type { ExtensionEventName } from "./extension-events.js";

interface AnyEvent {
  readonly type: ExtensionEventName;
}

/** The fields of an answer that later handlers see changed. */
const CHANGES: Partial<Record<ExtensionEventName, readonly string[]>> = {
  input: ["text", "images"],
  before_agent_start: ["systemPrompt"],
  context: ["messages"],
  message_end: ["message"],
  tool_call: ["input"],
  tool_result: ["content", "details", "isError"],
};

/**
 * The event for the next handler, with the changed text, input or result instead of the original. Otherwise an
 * extension that adds a line to a result would restore the secret that another one removed.
 */
export function carryForward<Event extends AnyEvent>(event: Event, answer: unknown): Event {
  if (event.type === "before_provider_request") return { ...event, payload: answer };
  if (event.type === "input" && pick(answer, ["action"]).action === "continue") return event;
  const changed = pick(answer, CHANGES[event.type] ?? []);
  if (Object.keys(changed).length === 0) return event;
  if (event.type !== "tool_result") return { ...event, ...changed };
  const { result } = event as Event & { readonly result: object };
  const content = soundContent(changed.content);
  const sound = { ...changed, ...defined({ content }) };
  return { ...event, ...sound, result: { ...result, ...sound } };
}

/** Whether the answer is final: the call is blocked, the input is handled, or an extension runs the command. */
export function isFinal(event: AnyEvent, answer: unknown): boolean {
  const { block, handled, action, operations, result, trusted } = pick(answer, FINAL_FIELDS);
  if (event.type === "tool_call") return block === true;
  if (event.type === "input") return handled === true || action === "handled";
  if (event.type === "project_trust") return trusted === "yes" || trusted === "no";
  return event.type === "user_bash" && (operations !== undefined || result !== undefined);
}

const FINAL_FIELDS = ["block", "handled", "action", "operations", "result", "trusted"] as const;

function pick(answer: unknown, names: readonly string[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  if (typeof answer !== "object" || answer === null) return picked;
  for (const name of names) {
    const value = (answer as Record<string, unknown>)[name];
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}
