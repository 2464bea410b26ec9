/**
 * The AI SDK's types for one model step, taken from a provider package that is a dependency.
 *
 * Steps are run with a provider's own `doStream`, without the `ai` package: it answers invalid tool calls on its own
 * and retries on its own, and both are the agent's business.
 */
import type { AnthropicProvider } from "@ai-sdk/anthropic";

export type ProviderModel = ReturnType<AnthropicProvider["languageModel"]>;
export type ProviderCall = Parameters<ProviderModel["doStream"]>[0];
export type ProviderOptions = NonNullable<ProviderCall["providerOptions"]>;

export type Prompt = ProviderCall["prompt"];
export type PromptMessage = Prompt[number];
export type UserPart = Extract<PromptMessage, { role: "user" }>["content"][number];
export type AssistantPart = Extract<PromptMessage, { role: "assistant" }>["content"][number];
export type ToolPart = Extract<PromptMessage, { role: "tool" }>["content"][number];
export type ToolOutput = Extract<ToolPart, { type: "tool-result" }>["output"];

type Stream = Awaited<ReturnType<ProviderModel["doStream"]>>["stream"];
export type StreamPart = Stream extends ReadableStream<infer Part> ? Part : never;
export type Finish = Extract<StreamPart, { type: "finish" }>;

/** What a provider said about a part, in the compartment of its own name. */
export type Metadata = Readonly<Record<string, unknown>>;
