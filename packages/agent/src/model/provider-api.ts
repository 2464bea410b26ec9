/** What differs between provider protocols; each has a file under `api/`. */
import type { TextBlock, ThinkingBlock, ToolCallBlock } from "@bough/session/entry/index.js";
import type { ModelInfo, ModelRequest } from "./language-model.js";
import type {
  AssistantPart,
  Metadata,
  Prompt,
  ProviderCall,
  ProviderModel,
  ProviderOptions,
} from "./provider-types.js";

export interface Connection {
  readonly info: ModelInfo;
  /** Undefined for servers that need no key. */
  readonly apiKey: string | undefined;
  readonly fetch: typeof globalThis.fetch;
  /** For providers that need more than a key, such as a region or project. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export interface CallSettings {
  readonly maxOutputTokens?: number;
  readonly providerOptions?: ProviderOptions;
}

/**
 * Converts opaque provider data between stored messages and the wire.
 *
 * It is stored as strings on the blocks (`thinkingSignature`, `textSignature`, `thoughtSignature`), in the same form as
 * in pi, so that either program can continue a session.
 */
export interface SignatureCodec {
  /** The name shared by the streamed parts of one thought; undefined if every part is a thought of its own. */
  readonly thoughtName?: (metadata: Metadata) => string | undefined;
  readonly readThinking: (metadata: Metadata, parts: readonly string[]) => Omit<ThinkingBlock, "type" | "thinking">;
  /** The signature of all thinking of an answer, for a protocol that sends it at the end of the stream. */
  readonly readFinish?: (metadata: Metadata) => Omit<ThinkingBlock, "type" | "thinking"> | undefined;
  readonly readText: (metadata: Metadata) => string | undefined;
  readonly readCall: (metadata: Metadata) => string | undefined;
  /** Empty if the provider would reject it. */
  readonly writeThinking: (block: ThinkingBlock) => readonly AssistantPart[];
  readonly writeText: (block: TextBlock) => ProviderOptions | undefined;
  readonly writeCall: (block: ToolCallBlock) => ProviderOptions | undefined;
}

export interface ProviderApi {
  /** The key of this provider's data in stream metadata. */
  readonly metadataName: string;
  readonly signatures: SignatureCodec;
  /** Where images of a tool result go: into the result, or into a user message right after it. */
  readonly toolImages: "inside" | "after";
  /** Whether the protocol can mark a failed tool result; otherwise its text says so. */
  readonly marksErrors: boolean;
  /** Imports the provider's package, and is the only thing that does. */
  readonly connect: (connection: Connection) => Promise<ProviderModel>;
  readonly settings: (info: ModelInfo, request: ModelRequest, prompt: Prompt) => CallSettings;
  /** Final changes to the prompt, such as cache marks. */
  readonly finishPrompt?: (prompt: Prompt, info: ModelInfo) => Prompt;
  /** The provider's own web search. */
  readonly webSearch?: Extract<NonNullable<ProviderCall["tools"]>[number], { type: "provider" }> | undefined;
  /** Options of the last tool, which mark all tools for caching. */
  readonly lastTool?: ProviderOptions;
}
