/** What waits for a run: steering for its next step, follow-ups for its end, extension messages for the end of a turn. */
import type { CustomMessageInput } from "../extension/index.js";

export interface QueuedTexts {
  readonly steering: readonly string[];
  readonly followUp: readonly string[];
}

/** First in, first out. `onChange` hears of every change of the texts, so that front ends can show them. */
export class MessageQueue {
  #steering: string[] = [];
  #followUp: string[] = [];
  #custom: CustomMessageInput[] = [];
  readonly #onChange: (texts: QueuedTexts) => void;

  constructor(onChange: (texts: QueuedTexts) => void) {
    this.#onChange = onChange;
  }

  get texts(): QueuedTexts {
    return { steering: [...this.#steering], followUp: [...this.#followUp] };
  }

  /** Delivered after the tool calls of the current turn, before the next model step. */
  addSteering(text: string): void {
    this.#steering.push(text);
    this.#onChange(this.texts);
  }

  /** Delivered when the run would end. */
  addFollowUp(text: string): void {
    this.#followUp.push(text);
    this.#onChange(this.texts);
  }

  /** Appended after the turn. Never starts one. */
  addCustom(message: CustomMessageInput): void {
    this.#custom.push(message);
  }

  /** All of them: they were meant for the work that goes on. */
  takeSteering(): readonly string[] {
    const taken = this.#steering;
    if (taken.length === 0) return taken;
    this.#steering = [];
    this.#onChange(this.texts);
    return taken;
  }

  /** One at a time: each is a request of its own and gets its own answer. */
  takeFollowUp(): string | undefined {
    const taken = this.#followUp.shift();
    if (taken !== undefined) this.#onChange(this.texts);
    return taken;
  }

  takeCustom(): readonly CustomMessageInput[] {
    const taken = this.#custom;
    this.#custom = [];
    return taken;
  }

  /** Takes back the texts that were not delivered, so that nothing a person typed is lost. */
  clearTexts(): QueuedTexts {
    const texts = this.texts;
    this.#steering = [];
    this.#followUp = [];
    if (texts.steering.length + texts.followUp.length > 0) this.#onChange(this.texts);
    return texts;
  }
}
