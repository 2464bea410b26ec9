import type { AgentMessage, AssistantMessage, ToolCallBlock } from "../entry/index.js";
import { isRecord } from "../text/index.js";
import { isFilledString } from "./json-value.js";

/** The one tool by which a model calls tools of MCP servers that are not in its request. */
export const MCP_CALL = "mcp_call";

/**
 * Turns calls that were made with `mcp_call` back into what the model sent, with their results. Entries have the name
 * and the input of the tool that ran; the request has no such tool. Expects paired messages: the results of a step come
 * right after it.
 */
export class SentNames {
  #through: ReadonlySet<string> = new Set();

  sent(message: AgentMessage): AgentMessage {
    if (message.role === "assistant") return this.#answer(message);
    if (message.role !== "toolResult" || !this.#through.has(message.toolCallId)) return message;
    return { ...message, toolName: MCP_CALL };
  }

  #answer(message: AssistantMessage): AssistantMessage {
    const through = new Set<string>();
    const content = message.content.map((block) => {
      const call = block.type === "toolCall" ? asMade(block) : undefined;
      if (call === undefined) return block;
      through.add(call.id);
      return call;
    });
    this.#through = through;
    return through.size === 0 ? message : { ...message, content };
  }
}

/** Undefined if the call was made by its own name. */
function asMade({ mcp, ...call }: ToolCallBlock): ToolCallBlock | undefined {
  if (!isRecord(mcp) || !isFilledString(mcp.server) || !isFilledString(mcp.tool)) return undefined;
  const { server, tool } = mcp;
  return { ...call, name: MCP_CALL, arguments: { server, tool, input: call.arguments } };
}
