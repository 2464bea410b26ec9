/** Messages sent by extensions. */
import type { ImageBlock, TextBlock, UserContent } from "@bough/session/entry/index.js";

/** A message from an extension. The model sees it, and so does the user if `display` is true. */
export interface CustomMessageInput {
  readonly customType: string;
  readonly content: UserContent;
  readonly display: boolean;
  readonly details?: unknown;
}

export interface SendOptions {
  /** Makes the model answer it. */
  readonly triggerTurn?: boolean;
  /**
   * During a run: `steer` delivers it before the next model step, `followUp` when the run would end; both make the
   * model answer. `nextTurn` delivers it with the user's next prompt, whether something runs or not. By default it is
   * appended after the turn, and the model sees it with its next request.
   */
  readonly deliverAs?: "steer" | "followUp" | "nextTurn";
}

export interface UserMessageOptions {
  /** During a run; `followUp` by default. */
  readonly deliverAs?: "steer" | "followUp";
  /** Whether to expand prompt templates. Default: the text is sent verbatim. */
  readonly expandPromptTemplates?: boolean;
}

export interface MessageSender {
  /**
   * Sends a message to the model. If idle, it is appended at once, and with `triggerTurn` the model answers it. During
   * a run it is appended after the turn, or as set in `deliverAs`. `true` is the same as `{ triggerTurn: true }`.
   */
  sendMessage(message: CustomMessageInput, options?: SendOptions | boolean): void;
  /** Sends a message on behalf of the user. The model answers it. */
  sendUserMessage(content: string | readonly (TextBlock | ImageBlock)[], options?: UserMessageOptions): void;
}
