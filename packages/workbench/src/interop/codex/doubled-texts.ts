/**
 * Every visible text is there twice in many rollouts: as an item for the model and as an event for the screen, either
 * one first. The item counts. An event counts only if no item says the same until its turn is over.
 */
import type { RolloutRecord } from "./rollout-record.js";

export type Speaker = "user" | "assistant" | "reasoning";

interface SpokenText {
  readonly speaker: Speaker;
  readonly text: string;
  readonly record: RolloutRecord;
}

interface ItemDoubles {
  /** Events before the item that said the same. */
  readonly events: readonly SpokenText[];
  /** An event said it first and was taken for a message, because a reading ended between the two. */
  readonly told: boolean;
}

/** The two records are close together: what is further away is another text that says the same. */
const NEIGHBOURS = 64;

export class DoubledTexts {
  /** Items no event has repeated yet. */
  #items: { readonly speaker: Speaker; readonly text: string }[] = [];
  /** Events no item has said yet. */
  #events: SpokenText[] = [];
  /** Events that were taken for messages. */
  #told: SpokenText[] = [];

  item(speaker: Speaker, text: string): ItemDoubles {
    const same = (event: SpokenText) => event.speaker === speaker && covers(text, event.text);
    const told = this.#told.findIndex(same);
    if (told >= 0) {
      this.#told.splice(told, 1);
      return { events: [], told: true };
    }
    const events = this.#events.filter(same);
    if (events.length === 0) {
      this.#items.push({ speaker, text });
      if (this.#items.length > NEIGHBOURS) this.#items.shift();
    } else this.#events = this.#events.filter((event) => !same(event));
    return { events, told: false };
  }

  /** True where an item before the event said the same. Otherwise the event waits. */
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
   * The turn, or the reading, is over: the events that are alone. Where a turn begins, what the user said just before
   * belongs to it, and continues waiting for its item.
   */
  flush(why: "turn-begins" | "ends"): readonly SpokenText[] {
    const staysOpen = (event: SpokenText) => why === "turn-begins" && event.speaker === "user";
    this.#told = this.#events.filter((event) => !staysOpen(event));
    this.#events = this.#events.filter(staysOpen);
    this.#items = [];
    return this.#told;
  }
}

/** Items may say more: markers around images, several sections of reasoning. */
function covers(item: string, event: string): boolean {
  return item === event || (event !== "" && item.includes(event.trim()));
}
