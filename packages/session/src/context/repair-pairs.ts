import type { AgentMessage, AssistantMessage, ToolCallBlock, ToolResultMessage } from "../entry/index.js";

/** Represents the result of a call that never got one. */
export const INTERRUPTED_RESULT =
  "This tool call was interrupted and has no result. Whether it had any effect is not known.";

/** Represents a result that a context edit omitted. */
export const LEFT_OUT_RESULT = "The result of this tool call was omitted from the conversation.";

/**
 * The messages with tool calls and results paired as every provider demands: each call has exactly one result, the
 * results are right after the message with their calls, in the order of the calls, and there are no others.
 *
 *     call(1,2) user result(2)   ->   call(1,2) interrupted(1) result(2) user
 *
 * A result belongs to the nearest call of its id above it. Of several results for one call the first counts; of several
 * calls with one id in one message, the first too. Calls in messages that ended with `error` or `aborted` are kept and
 * paired like any other: the model sees what was tried and that it did not finish. Repairing twice changes nothing, and
 * messages that need no repair come back as the same objects.
 */
export function repairPairs(messages: readonly AgentMessage[]): AgentMessage[] {
  const paired = new PairedMessages();
  for (const message of messages) paired.push(message);
  return paired.list();
}

interface Slot {
  readonly call: ToolCallBlock;
  /** The message that made the call, and where its result goes. */
  readonly message: AssistantMessage;
  readonly index: number;
}

/** The same, message by message: a conversation that grows is not gone through again. */
export class PairedMessages {
  readonly #paired: AgentMessage[] = [];
  /** The nearest call of each id, and the calls that have no result yet. */
  readonly #nearest = new Map<string, Slot>();
  readonly #open = new Set<Slot>();

  push(message: AgentMessage): void {
    if (message.role === "toolResult") this.#answer(message);
    else if (message.role === "assistant") this.#ask(message);
    else this.#paired.push(message);
  }

  /** All messages so far, in their own array. */
  list(): AgentMessage[] {
    const messages = this.#paired.slice();
    for (const { call, message, index } of this.#open) messages[index] = interrupted(call, message);
    return messages;
  }

  #ask(message: AssistantMessage): void {
    const calls = new Map<string, ToolCallBlock>();
    let count = 0;
    for (const block of message.content) {
      if (block.type !== "toolCall") continue;
      count += 1;
      if (!calls.has(block.id)) calls.set(block.id, block);
    }
    this.#paired.push(calls.size === count ? message : withoutRepeatedCalls(message));
    for (const call of calls.values()) {
      const slot: Slot = { call, message, index: this.#paired.length };
      this.#nearest.set(call.id, slot);
      this.#open.add(slot);
      // Holds the place until the result comes.
      this.#paired.push(message);
    }
  }

  #answer(result: ToolResultMessage): void {
    const slot = this.#nearest.get(result.toolCallId);
    if (slot !== undefined && this.#open.delete(slot)) this.#paired[slot.index] = named(result, slot.call);
  }
}

function named(result: ToolResultMessage, call: ToolCallBlock): ToolResultMessage {
  if (typeof result.toolName === "string") return result;
  return Object.freeze({ ...(result as ToolResultMessage), toolName: call.name });
}

function withoutRepeatedCalls(message: AssistantMessage): AssistantMessage {
  const seen = new Set<string>();
  const content = message.content.filter((block) => {
    if (block.type !== "toolCall") return true;
    const first = !seen.has(block.id);
    seen.add(block.id);
    return first;
  });
  return Object.freeze({ ...message, content: Object.freeze(content) });
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
