/** What differs between the ways of speaking to a provider. One file under `api/` for each. */
import type { TextBlock, ThinkingBlock, ToolCallBlock } from "@bough/session/entry/index.js";
import type { ModelInfo, ModelRequest } from "./language-model.js";
import type { AssistantPart, Metadata, Prompt, ProviderModel, ProviderOptions } from "./provider-types.js";

export interface Connection {
  readonly info: ModelInfo;
  /** Undefined for servers that need none. */
  readonly apiKey: string | undefined;
  readonly fetch: typeof globalThis.fetch;
  /** For providers whose account is more than a key, such as a region or a project. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export interface CallSettings {
  readonly maxOutputTokens?: number;
  readonly providerOptions?: ProviderOptions;
}

/**
 * Data that only its maker can read, between the stored message and the wire.
 *
 * Stored as strings on the blocks (`thinkingSignature`, `textSignature`, `thoughtSignature`), in the spelling sibling
 * programs use, so that a session continues in either.
 */
export interface SignatureCodec {
  /** Several streamed parts of one thought have one name; undefined if every part is alone. */
  readonly thoughtName?: (metadata: Metadata) => string | undefined;
  readonly readThinking: (metadata: Metadata, parts: readonly string[]) => Omit<ThinkingBlock, "type" | "thinking">;
  readonly readText: (metadata: Metadata) => string | undefined;
  readonly readCall: (metadata: Metadata) => string | undefined;
  /** Empty if the provider would refuse it. */
  readonly writeThinking: (block: ThinkingBlock) => readonly AssistantPart[];
  readonly writeText: (block: TextBlock) => ProviderOptions | undefined;
  readonly writeCall: (block: ToolCallBlock) => ProviderOptions | undefined;
}

export interface ProviderApi {
  /** The compartment of stream metadata that is this provider's. */
  readonly metadataName: string;
  readonly signatures: SignatureCodec;
  /** Where images of a tool result go: into it, or into a message of the user's right after it. */
  readonly toolImages: "inside" | "after";
  /** Whether a failed tool result is marked as such on the wire; else its text says so. */
  readonly marksErrors: boolean;
  /** Imports the provider's package; nothing before this does. */
  readonly connect: (connection: Connection) => Promise<ProviderModel>;
  readonly settings: (info: ModelInfo, request: ModelRequest, prompt: Prompt) => CallSettings;
  /** Last changes to the prompt, such as marks for a cache. */
  readonly finishPrompt?: (prompt: Prompt, info: ModelInfo) => Prompt;
  /** Goes with the last tool: a mark for a cache of all of them. */
  readonly lastTool?: ProviderOptions;
}
