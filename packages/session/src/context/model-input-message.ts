import type { AssistantBlock, ImageBlock, TextBlock } from "../entry/index.js";

/** A block only the provider that made it understands, for example of a tool that ran on its side. */
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
  /** The provider's own copy of the answer, handed back untouched. */
  readonly providerPayload?: unknown;
}

export interface ToolResultInput {
  readonly role: "toolResult";
  readonly toolCallId: string;
  readonly toolName: string;
  readonly content: readonly (TextBlock | ImageBlock)[];
  readonly isError: boolean;
}

/** A message as a provider adapter gets it: content only, no times, usage or details that would change the bytes. */
export type ModelInputMessage = UserInput | AssistantInput | ToolResultInput;

/** Who will read the input. */
export interface ModelInputTarget {
  readonly provider: string;
  /** Where given, provider-bound data also has to come from this exact model. */
  readonly model?: string;
}
