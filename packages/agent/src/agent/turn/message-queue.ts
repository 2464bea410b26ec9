/** The queue of a run: steering for its next step, follow-ups for its end, extension messages for the end of a turn. */
import type { ImageBlock } from "@bough/session/entry/index.js";
import type { CustomMessageInput, InputEvent } from "../../extension/index.js";

export interface QueuedTexts {
  readonly steering: readonly string[];
  readonly followUp: readonly string[];
}

/** A queued text with its images. */
export interface QueuedPrompt {
  readonly text: string;
  readonly images: readonly ImageBlock[];
  readonly source?: InputEvent["source"];
  readonly expandTemplates?: boolean;
}

/** The options of a queued text. */
export type QueueOptions = Partial<Omit<QueuedPrompt, "text">>;

export function queuedPrompt(text: string, { images = [], ...options }: QueueOptions): QueuedPrompt {
  return { text, images, ...options };
}

/** When to deliver an extension's message: after the turn; with `steer` and `followUp` the model also answers it. */
export type CustomDelivery = "after-turn" | "steer" | "followUp" | "nextTurn";

/** First in, first out. `onChange` is called whenever the texts change, so that front ends can show them. */
export class MessageQueue {
  #steering: QueuedPrompt[] = [];
  #followUp: QueuedPrompt[] = [];
  #custom: { readonly message: CustomMessageInput; readonly delivery: CustomDelivery }[] = [];
  readonly #onChange: (texts: QueuedTexts) => void;

  constructor(onChange: (texts: QueuedTexts) => void) {
    this.#onChange = onChange;
  }

  get texts(): QueuedTexts {
    return { steering: this.#steering.map(textOf), followUp: this.#followUp.map(textOf) };
  }

  /** Delivered after the tool calls of the current turn, before the next model step. */
  addSteering(prompt: QueuedPrompt): void {
    this.#steering.push(prompt);
    this.#onChange(this.texts);
  }

  /** Delivered when the run would end. */
  addFollowUp(prompt: QueuedPrompt): void {
    this.#followUp.push(prompt);
    this.#onChange(this.texts);
  }

  addCustom(message: CustomMessageInput, delivery: CustomDelivery = "after-turn"): void {
    this.#custom.push({ message, delivery });
  }

  /** All of them, because they concern the current work. */
  takeSteering(): readonly QueuedPrompt[] {
    const taken = this.#steering;
    if (taken.length === 0) return [];
    this.#steering = [];
    this.#onChange(this.texts);
    return taken;
  }

  /** One at a time, because each gets its own answer. */
  takeFollowUp(): QueuedPrompt | undefined {
    const taken = this.#followUp.shift();
    if (taken !== undefined) this.#onChange(this.texts);
    return taken;
  }

  /** The text to deliver next. It stays in the queue until it is dropped. */
  get next(): QueuedPrompt | undefined {
    return this.#steering[0] ?? this.#followUp[0];
  }

  /** Removes one that was delivered by other means. */
  drop(prompt: QueuedPrompt): void {
    const list = this.#steering.includes(prompt) ? this.#steering : this.#followUp;
    const index = list.indexOf(prompt);
    if (index === -1) return;
    list.splice(index, 1);
    this.#onChange(this.texts);
  }

  /** Puts back what could not be delivered, in front of anything newer. */
  putBack({
    steering = [],
    followUp = [],
  }: {
    readonly steering?: readonly QueuedPrompt[];
    readonly followUp?: readonly QueuedPrompt[];
  }): void {
    if (steering.length + followUp.length === 0) return;
    this.#steering = [...steering, ...this.#steering];
    this.#followUp = [...followUp, ...this.#followUp];
    this.#onChange(this.texts);
  }

  /** Only those that are due. */
  takeCustom(...due: readonly CustomDelivery[]): readonly CustomMessageInput[] {
    const taken = this.#custom.filter(({ delivery }) => due.includes(delivery));
    this.#custom = this.#custom.filter(({ delivery }) => !due.includes(delivery));
    return taken.map(({ message }) => message);
  }

  get isEmpty(): boolean {
    return this.next === undefined && this.#custom.length === 0;
  }

  hasCustom(delivery: CustomDelivery): boolean {
    return this.#custom.some((waiting) => waiting.delivery === delivery);
  }

  takeNextTurn(): readonly CustomMessageInput[] {
    return this.takeCustom("nextTurn");
  }

  /** Removes the texts that were not delivered, so that they can be returned to the user. */
  clearTexts(): QueuedTexts {
    const texts = this.texts;
    this.#steering = [];
    this.#followUp = [];
    if (texts.steering.length + texts.followUp.length > 0) this.#onChange(this.texts);
    return texts;
  }
}

function textOf({ text }: QueuedPrompt): string {
  return text;
}
