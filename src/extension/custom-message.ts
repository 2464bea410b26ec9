import type { UserContent } from "../entry/index.js";

/** A message of an extension: the model sees it, and the user if `display` is set. */
export interface CustomMessageInput {
  readonly customType: string;
  readonly content: UserContent;
  readonly display: boolean;
  readonly details?: unknown;
}
