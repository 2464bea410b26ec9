/** Thought signatures that a chat records later than the message they belong to. */
import { stringIn } from "../foreign-lines.js";
import type { ChatMessage, JsonObject } from "./chat-message.js";

/** Data of a note: the message ID, and its signed parts. */
interface SignedParts {
  readonly id: string | undefined;
  readonly parts: readonly JsonObject[];
}

/**
 * A message is first written without its signatures, and a later list of messages contains them. The entry exists by
 * then, so each signature is kept once in a note next to it.
 */
export class ThoughtSignatures {
  readonly #known = new Set<string>();

  /** Registers the signatures of a message that becomes an entry, which contains them. */
  see(message: ChatMessage): void {
    for (const part of message.signed) this.take(stringIn(part.thoughtSignature));
  }

  /** Registers one signature. */
  take(signature: string | undefined): void {
    if (signature !== undefined) this.#known.add(signature);
  }

  /** The parts of messages with signatures that were not registered yet. */
  news(messages: readonly ChatMessage[]): SignedParts[] {
    return messages.flatMap((message) => {
      const parts = message.signed.filter((part) => !this.#known.has(part.thoughtSignature as string));
      this.see(message);
      return parts.length === 0 ? [] : [{ id: message.id, parts }];
    });
  }
}
