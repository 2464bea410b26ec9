/** Messages that extensions send. */
import type { ImageBlock, TextBlock, UserContent } from "@bough/session/entry/index.js";

/** A message of an extension: the model sees it, and the user if `display` is set. */
export interface CustomMessageInput {
  readonly customType: string;
  readonly content: UserContent;
  readonly display: boolean;
  readonly details?: unknown;
}

export interface SendOptions {
  /** The model answers it. */
  readonly triggerTurn?: boolean;
  /**
   * During a run. `steer`: before the next model step. `followUp`: when the run would end. Both make the model answer.
   * `nextTurn`: with the next prompt of the user, whether something runs or not. By default it is appended after the
   * turn, and the model sees it whenever it is asked next.
   */
  readonly deliverAs?: "steer" | "followUp" | "nextTurn";
}

export interface UserMessageOptions {
  /** During a run; `followUp` by default. */
  readonly deliverAs?: "steer" | "followUp";
  /** Whether prompt templates are filled in. Default: the text is sent as it is. */
  readonly expandPromptTemplates?: boolean;
}

export interface MessageSender {
  /**
   * A message the model sees. Idle: it is appended at once, and with `triggerTurn` the model answers it. During a run it
   * waits until after the turn, or as `deliverAs` says. `true` is the same as `{ triggerTurn: true }`.
   */
  sendMessage(message: CustomMessageInput, options?: SendOptions | boolean): void;
  /** A message in the name of the user. The model answers it. */
  sendUserMessage(content: string | readonly (TextBlock | ImageBlock)[], options?: UserMessageOptions): void;
}
