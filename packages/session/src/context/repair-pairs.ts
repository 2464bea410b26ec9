import type { AgentMessage, AssistantMessage, ToolCallBlock, ToolResultMessage } from "../entry/index.js";

/** The result shown for a call that never got one. */
export const INTERRUPTED_RESULT =
  "This tool call was interrupted and has no result. Whether it had any effect is not known.";

/** The result shown when a context edit omitted the real one. */
export const LEFT_OUT_RESULT = "The result of this tool call was omitted from the conversation.";

/**
 * Pairs tool calls and results as every provider requires: each call has exactly one result, the results come right
 * after the message with their calls, in the order of the calls, and there are no others.
 *
 *     call(1,2) user result(2)   ->   call(1,2) interrupted(1) result(2) user
 *
 * A result belongs to the nearest call with its ID above it. Of several results for one call the first counts; of
 * several calls with the same ID in one message, also the first. Calls in messages that ended with `error` or `aborted`
 * are kept and paired like any other: the model sees what was tried and that it did not finish. Repairing twice changes
 * nothing, and messages that need no repair are returned as the same objects.
 */
export function repairPairs(messages: readonly AgentMessage[]): AgentMessage[] {
  const paired = new PairedMessages();
  for (const message of messages) paired.push(message);
  return paired.list();
}

interface Slot {
  readonly call: ToolCallBlock;
  /** The message that made the call, and the index for its result. */
  readonly message: AssistantMessage;
  readonly index: number;
}

/** Like `repairPairs`, message by message, so that a growing conversation is not processed again. */
export class PairedMessages {
  readonly #paired: AgentMessage[] = [];
  /** The nearest call of each ID, and the calls without a result so far. */
  readonly #nearest = new Map<string, Slot>();
  readonly #open = new Set<Slot>();

  push(message: AgentMessage): void {
    if (message.role === "toolResult") this.#answer(message);
    else if (message.role === "assistant") this.#ask(message);
    else this.#paired.push(message);
  }

  /** All messages so far, in a new array. */
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
      // A placeholder until the result arrives.
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
