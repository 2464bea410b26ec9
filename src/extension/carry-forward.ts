import { soundContent } from "../tool/index.js";
import type { ExtensionEventName } from "./extension-events.js";

interface AnyEvent {
  readonly type: ExtensionEventName;
}

/** What each kind of answer changes for the handlers after it. */
const CHANGES: Partial<Record<ExtensionEventName, readonly string[]>> = {
  input: ["text"],
  tool_call: ["input"],
  tool_result: ["content", "details", "isError"],
};

/**
 * The event as the next handler sees it. A changed text, input or result is what it gets, not the original: else an
 * extension that adds a line to a result would bring back the secret another one took out.
 */
export function carryForward<Event extends AnyEvent>(event: Event, answer: unknown): Event {
  const changed = pick(answer, CHANGES[event.type] ?? []);
  if (Object.keys(changed).length === 0) return event;
  if (event.type !== "tool_result") return { ...event, ...changed };
  const { result } = event as Event & { readonly result: object };
  const content = soundContent(changed.content);
  return { ...event, result: { ...result, ...changed, ...(content === undefined ? {} : { content }) } };
}

/** Whether no one else needs to be asked: the call is blocked, or the input is taken. */
export function settles(event: AnyEvent, answer: unknown): boolean {
  const name = event.type === "tool_call" ? "block" : event.type === "input" ? "handled" : undefined;
  return name !== undefined && pick(answer, [name])[name] === true;
}

function pick(answer: unknown, names: readonly string[]): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  if (typeof answer !== "object" || answer === null) return picked;
  for (const name of names) {
    const value = (answer as Record<string, unknown>)[name];
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}
