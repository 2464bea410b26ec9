/** Signatures of thoughts that a chat says later than the message they belong to. */
import { stringIn } from "../foreign-lines.js";
import type { ChatMessage, JsonObject } from "./chat-message.js";

/** What a note about them holds: the message, and its parts that are signed. */
interface SignedParts {
  readonly id: string | undefined;
  readonly parts: readonly JsonObject[];
}

/**
 * A message is written without its signatures at first; a later list of messages has them. The entry is made by then,
 * so they are kept next to it, each once.
 */
export class ThoughtSignatures {
  readonly #known = new Set<string>();

  /** Takes in the signatures of a message that becomes an entry: they are part of it. */
  see(message: ChatMessage): void {
    for (const part of message.signed) this.take(stringIn(part.thoughtSignature));
  }

  /** The same for one signature. */
  take(signature: string | undefined): void {
    if (signature !== undefined) this.#known.add(signature);
  }

  /** The parts of messages that bring a signature which is nowhere yet. */
  news(messages: readonly ChatMessage[]): SignedParts[] {
    return messages.flatMap((message) => {
      const parts = message.signed.filter((part) => !this.#known.has(part.thoughtSignature as string));
      this.see(message);
      return parts.length === 0 ? [] : [{ id: message.id, parts }];
    });
  }
}
