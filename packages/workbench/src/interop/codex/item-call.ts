/** Converts all kinds of Codex tool calls to call blocks. */
import type { ToolCallBlock } from "@bough/session/entry/index.js";
import { isRecord, jsonObject } from "@bough/session/text/index.js";
import { stringIn } from "../foreign-lines.js";
import type { JsonObject } from "./rollout-record.js";

interface ReadCall {
  readonly block: ToolCallBlock;
  /** Fields of the item that the block already contains, and that the origin can omit. */
  readonly said: readonly string[];
  /** Whether it ran on the provider's side; such calls have no output item. */
  readonly providerSide: boolean;
}

const CALL_KINDS: ReadonlySet<string> = new Set([
  ...["function_call", "custom_tool_call", "local_shell_call", "tool_search_call"],
  ...["web_search_call", "image_generation_call"],
]);

export function isCall(kind: string): boolean {
  return CALL_KINDS.has(kind);
}

export function isOutput(kind: string): boolean {
  return kind === "function_call_output" || kind === "custom_tool_call_output" || kind === "tool_search_output";
}

/** `fallbackId` is used for a call without an ID. */
export function readCall(kind: string, item: JsonObject, fallbackId: string): ReadCall {
  const id = stringIn(item.call_id) ?? stringIn(item.id) ?? fallbackId;
  const call = (name: string, args: JsonObject): ToolCallBlock => ({ type: "toolCall", id, name, arguments: args });
  switch (kind) {
    case "custom_tool_call":
      return {
        block: call(stringIn(item.name) ?? "unknown", { input: item.input ?? "" }),
        said: ["name", "input", "call_id"],
        providerSide: false,
      };
    case "local_shell_call":
      return {
        block: call("local_shell", isRecord(item.action) ? item.action : {}),
        said: ["action", "call_id"],
        providerSide: false,
      };
    case "tool_search_call":
      return {
        block: call("tool_search", isRecord(item.arguments) ? item.arguments : {}),
        said: ["arguments", "call_id"],
        providerSide: false,
      };
    case "web_search_call":
      return {
        block: call("web_search", isRecord(item.action) ? item.action : {}),
        said: ["action"],
        providerSide: true,
      };
    case "image_generation_call":
      return {
        block: call("image_generation", { prompt: item.revised_prompt ?? "" }),
        said: ["revised_prompt", "result"],
        providerSide: true,
      };
    default:
      return functionCall(item, call);
  }
}

function functionCall(item: JsonObject, call: (name: string, args: JsonObject) => ToolCallBlock): ReadCall {
  const name = stringIn(item.name) ?? "unknown";
  const raw = item.arguments;
  const parsed = typeof raw === "string" ? jsonObject(raw) : isRecord(raw) ? raw : undefined;
  const same = parsed !== undefined && JSON.stringify(parsed) === raw;
  return {
    block: call(name, parsed ?? (raw === undefined || raw === "" ? {} : { arguments: raw })),
    // Arguments with different spacing, or that are not JSON, are kept verbatim.
    said: same ? ["name", "arguments", "call_id"] : ["name", "call_id"],
    providerSide: false,
  };
}
