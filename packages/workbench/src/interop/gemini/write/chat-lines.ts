/** Writes steps of a path as messages of a chat. */
import type { AssistantBlock, ToolCallBlock } from "@bough/session/entry/index.js";
import {
  type Answer,
  type Prompt,
  resultOf,
  type SpokenBlock,
  toolWord,
  wordsOf,
} from "../../conversion/spoken-path.js";
import type { JsonObject } from "../chat-message.js";

/** Gemini CLI treats messages that start like this as its own and does not send them. */
const NOT_SENT = /^\s*(?:[/?]|<session_context>|<hook_context>)/;
/** Prefix added to such a message. */
const SAID_BY_USER = "User: ";

export function isUnsent({ content }: Prompt): boolean {
  return NOT_SENT.test(wordsOf(content));
}

export function promptMessage(step: Prompt, id: string): JsonObject {
  const parts = step.content.map(partOf);
  const content = isUnsent(step) ? [{ text: SAID_BY_USER }, ...parts] : parts;
  return { id, timestamp: step.timestamp, type: "user", content };
}

/**
 * Writes the parts of an answer in order, and results only next to their calls: Gemini CLI would send a result twice if
 * it were also a message.
 */
export function answerMessage(step: Answer, id: string): JsonObject {
  const { blocks, message, timestamp } = step;
  const { input = 0, output = 0, cacheRead = 0, totalTokens } = message.usage ?? {};
  const tokens = {
    input: input + cacheRead,
    output,
    cached: cacheRead,
    total: totalTokens ?? input + cacheRead + output,
  };
  const calls = blocks.filter((block) => block.type === "toolCall");
  return {
    id,
    timestamp,
    type: "gemini",
    content: blocks.map((block) => answerPart(block, message.provider)),
    thoughts: [],
    tokens,
    model: message.model,
    ...(calls.length === 0 ? {} : { toolCalls: calls.map((call) => callRecord(step, call)) }),
  };
}

function answerPart(block: AssistantBlock, provider: string): JsonObject {
  const signature = provider === "google" ? signatureOf(block) : undefined;
  const signed = signature === undefined ? {} : { thoughtSignature: signature };
  if (block.type === "thinking") return { text: block.thinking, thought: true, ...signed };
  if (block.type === "toolCall") return { functionCall: callOf(block), ...signed };
  return { text: block.type === "text" ? block.text : "", ...signed };
}

function signatureOf(block: AssistantBlock): string | undefined {
  if (block.type === "thinking") return block.thinkingSignature;
  if (block.type === "toolCall") return block.thoughtSignature;
  return block.type === "text" ? block.textSignature : undefined;
}

function callOf({ id, name, arguments: args }: ToolCallBlock): JsonObject {
  return { id, name: toolWord(name), args };
}

function callRecord(step: Answer, call: ToolCallBlock): JsonObject {
  const { content, isError, timestamp } = resultOf(step, call);
  const text = wordsOf(content);
  const { id, name } = callOf(call);
  const response = { functionResponse: { id, name, response: isError ? { error: text } : { output: text } } };
  const images = content.flatMap((block) => (block.type === "image" ? [partOf(block)] : []));
  return {
    ...callOf(call),
    result: [response, ...images],
    status: isError ? "error" : "success",
    timestamp,
    resultDisplay: text,
    displayName: call.name,
    description: "",
  };
}

function partOf(block: SpokenBlock): JsonObject {
  if (block.type === "text") return { text: block.text };
  return { inlineData: { mimeType: block.mimeType, data: block.data } };
}
