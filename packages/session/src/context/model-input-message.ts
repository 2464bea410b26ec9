import type { AssistantBlock, ImageBlock, TextBlock } from "../entry/index.js";

/** A block that only its provider understands, for example of a tool that ran on the provider's side. */
export interface ProviderBlock {
  readonly type: "provider";
  readonly data: unknown;
}

export interface UserInput {
  readonly role: "user";
  /** Never empty. */
  readonly content: readonly (TextBlock | ImageBlock)[];
}

export interface AssistantInput {
  readonly role: "assistant";
  /** Never empty. */
  readonly content: readonly (AssistantBlock | ProviderBlock)[];
  /** The provider's own copy of the answer, returned to it unchanged. */
  readonly providerPayload?: unknown;
}

export interface ToolResultInput {
  readonly role: "toolResult";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly content: readonly (TextBlock | ImageBlock)[];
  readonly isError: boolean;
}

/**
 * A message as a provider adapter gets it: only content, without times, usage or details that would change the bytes.
 */
export type ModelInputMessage = UserInput | AssistantInput | ToolResultInput;

/** The model that will read the input. */
export interface ModelInputTarget {
  readonly provider: string;
  /** If set, provider-bound data must also come from this exact model. */
  readonly model?: string;
}
