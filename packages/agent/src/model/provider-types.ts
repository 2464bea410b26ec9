/**
 * The AI SDK's types for one model step, derived from a provider package that is a dependency.
 *
 * Steps use a provider's own `doStream` without the `ai` package, because that one handles invalid tool calls and
 * retries by itself, and both are the agent's job.
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

/** A provider's own metadata about a stream part. */
export type Metadata = Readonly<Record<string, unknown>>;
