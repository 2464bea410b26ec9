/**
 * In many rollouts every visible text occurs twice, in either order: as an item for the model and as an event for the
 * screen. The item counts; an event counts only if no item with the same text comes before its turn ends.
 */
import type { RolloutRecord } from "./rollout-record.js";

export type Speaker = "user" | "assistant" | "reasoning";

interface SpokenText {
  readonly speaker: Speaker;
  readonly text: string;
  readonly record: RolloutRecord;
}

interface ItemDoubles {
  /** Earlier events with the same text. */
  readonly events: readonly SpokenText[];
  /** An earlier event already became a message, because a read ended between the two. */
  readonly isMessage: boolean;
}

/** The two records are close together; the same text further away is a different message. */
const NEIGHBOURS = 64;

export class DoubledTexts {
  /** Items that no event has repeated yet. */
  #items: { readonly speaker: Speaker; readonly text: string }[] = [];
  /** Events that no item has repeated yet. */
  #events: SpokenText[] = [];
  /** Events that became messages. */
  #messages: SpokenText[] = [];

  item(speaker: Speaker, text: string): ItemDoubles {
    const same = (event: SpokenText) => event.speaker === speaker && covers(text, event.text);
    const message = this.#messages.findIndex(same);
    if (message >= 0) {
      this.#messages.splice(message, 1);
      return { events: [], isMessage: true };
    }
    const events = this.#events.filter(same);
    if (events.length === 0) {
      this.#items.push({ speaker, text });
      if (this.#items.length > NEIGHBOURS) this.#items.shift();
    } else this.#events = this.#events.filter((event) => !same(event));
    return { events, isMessage: false };
  }

  /** Returns true if an earlier item has the same text. Otherwise the event waits for one. */
  event(spoken: SpokenText): boolean {
    const at = this.#items.findIndex(({ speaker, text }) => speaker === spoken.speaker && covers(text, spoken.text));
    if (at < 0) {
      this.#events.push(spoken);
      return false;
    }
    // A reasoning item has several sections, each with its own event.
    if (spoken.speaker !== "reasoning") this.#items.splice(at, 1);
    return true;
  }

  /**
   * Ends a turn or a read, and returns the events without an item. At the start of a turn, user messages just before it
   * belong to the new turn and keep waiting for their items.
   */
  flush(why: "turn-begins" | "ends"): readonly SpokenText[] {
    const staysOpen = (event: SpokenText) => why === "turn-begins" && event.speaker === "user";
    this.#messages = this.#events.filter((event) => !staysOpen(event));
    this.#events = this.#events.filter(staysOpen);
    this.#items = [];
    return this.#messages;
  }
}

/** Items can contain more text: markers around images, or several sections of reasoning. */
function covers(item: string, event: string): boolean {
  return item === event || (event !== "" && item.includes(event.trim()));
}
