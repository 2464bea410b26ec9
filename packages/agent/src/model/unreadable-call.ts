import type { ToolCallBlock } from "@bough/session/entry/index.js";
import { jsonObject } from "@bough/session/text/index.js";

/**
 * A tool call whose input was not a JSON object: `arguments` is empty and the text is in `partialJson`.
 *
 * The field has the name pi and oh-my-pi give to what is left of an unfinished call, and model input leaves it out.
 */
interface UnreadableCall extends ToolCallBlock {
  readonly partialJson: string;
}

/** The text a model sent as a tool's input if it could not be read; the agent answers such a call with an error. */
export function unreadableInput(call: ToolCallBlock): string | undefined {
  const { partialJson } = call as ToolCallBlock & { readonly partialJson?: unknown };
  return typeof partialJson === "string" ? partialJson : undefined;
}

/** A call from the text the model sent. Nothing at all counts as an empty object. */
export function readCall(call: { readonly id: string; readonly name: string; readonly input: string }): ToolCallBlock {
  const { id, name, input } = call;
  if (input.trim() === "") return { type: "toolCall", id, name, arguments: {} };
  const value = jsonObject(input);
  if (value !== undefined) return { type: "toolCall", id, name, arguments: value };
  const unreadable: UnreadableCall = { type: "toolCall", id, name, arguments: {}, partialJson: input };
  return unreadable;
}
