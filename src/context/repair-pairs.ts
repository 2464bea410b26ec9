import type { AgentMessage, AssistantMessage, ToolCallBlock, ToolResultMessage } from "../entry/index.js";

/** Stands for the result of a call that never got one. */
export const INTERRUPTED_RESULT =
  "This tool call was interrupted and has no result. Whether it had any effect is not known.";

/** Stands for a result that a context edit left out. */
export const LEFT_OUT_RESULT = "The result of this tool call was left out of the conversation.";

/**
 * The messages with tool calls and results paired as every provider demands: each call has exactly one result, the
 * results stand right after the message with their calls, in the order of the calls, and there are no others.
 *
 *     call(1,2) user result(2)   ->   call(1,2) interrupted(1) result(2) user
 *
 * A result belongs to the nearest call of its id above it. Of several results for one call the first counts; of several
 * calls with one id in one message, the first too. Calls in messages that ended with `error` or `aborted` are kept and
 * paired like any other: the model sees what was tried and that it did not finish. Repairing twice changes nothing, and
 * messages that need no repair come back as the same objects.
 */
export function repairPairs(messages: readonly AgentMessage[]): AgentMessage[] {
  const slots = matchResults(messages);
  const repaired: AgentMessage[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === "toolResult") continue;
    const calls = slots.get(index);
    if (message.role !== "assistant" || calls === undefined) {
      repaired.push(message);
      continue;
    }
    repaired.push(withoutRepeatedCalls(message, calls.size));
    for (const slot of calls.values()) repaired.push(slot.result ?? interrupted(slot.call, message));
  }
  return repaired;
}

interface Slot {
  readonly call: ToolCallBlock;
  result: ToolResultMessage | null;
}

/** By the index of an assistant message: its calls by id, in call order, with the result each of them got. */
type Slots = Map<number, Map<string, Slot>>;

function matchResults(messages: readonly AgentMessage[]): Slots {
  const slots: Slots = new Map();
  const nearest = new Map<string, Slot>();
  for (const [index, message] of messages.entries()) {
    if (message.role === "assistant") {
      const calls = new Map<string, Slot>();
      for (const call of callsOf(message)) {
        if (calls.has(call.id)) continue;
        const slot: Slot = { call, result: null };
        calls.set(call.id, slot);
        nearest.set(call.id, slot);
      }
      if (calls.size > 0) slots.set(index, calls);
    } else if (message.role === "toolResult") {
      const slot = nearest.get(message.toolCallId);
      if (slot !== undefined && slot.result === null) slot.result = named(message, slot.call);
    }
  }
  return slots;
}

function callsOf(message: AssistantMessage): ToolCallBlock[] {
  return message.content.filter((block) => block.type === "toolCall");
}

function named(result: ToolResultMessage, call: ToolCallBlock): ToolResultMessage {
  return typeof result.toolName === "string" ? result : { ...(result as ToolResultMessage), toolName: call.name };
}

function withoutRepeatedCalls(message: AssistantMessage, distinct: number): AssistantMessage {
  if (callsOf(message).length === distinct) return message;
  const seen = new Set<string>();
  const content = message.content.filter((block) => {
    if (block.type !== "toolCall") return true;
    const first = !seen.has(block.id);
    seen.add(block.id);
    return first;
  });
  return { ...message, content };
}

function interrupted(call: ToolCallBlock, message: AssistantMessage): ToolResultMessage {
  return {
    role: "toolResult",
    toolCallId: call.id,
    toolName: call.name,
    content: [{ type: "text", text: INTERRUPTED_RESULT }],
    isError: true,
    timestamp: typeof message.timestamp === "number" ? message.timestamp : 0,
  };
}
