import type { ToolCallBlock } from "@bough/session/entry/index.js";
import { jsonObject } from "@bough/session/text/index.js";

/**
 * A tool call whose input was not a JSON object: `arguments` is empty and the text is in `partialJson`.
 *
 * pi and oh-my-pi use the same field name for the text of an unfinished call. It is never sent to a model.
 */
interface UnreadableCall extends ToolCallBlock {
  readonly partialJson: string;
}

/** The text that a model sent as input if it is not a JSON object; the agent answers such a call with an error. */
export function unreadableInput(call: ToolCallBlock): string | undefined {
  const { partialJson } = call as ToolCallBlock & { readonly partialJson?: unknown };
  return typeof partialJson === "string" ? partialJson : undefined;
}

/** Parses the input text of a call. Empty text counts as an empty object. */
export function readCall(call: { readonly id: string; readonly name: string; readonly input: string }): ToolCallBlock {
  const { id, name, input } = call;
  if (input.trim() === "") return { type: "toolCall", id, name, arguments: {} };
  const value = jsonObject(input);
  if (value !== undefined) return { type: "toolCall", id, name, arguments: value };
  const unreadable: UnreadableCall = { type: "toolCall", id, name, arguments: {}, partialJson: input };
  return unreadable;
}
