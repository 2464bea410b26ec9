/** Converts parts of opencode's messages to blocks. */
import type {
  AssistantBlock,
  ImageBlock,
  TextBlock,
  ThinkingBlock,
  ToolResultMessage,
  Usage,
} from "@bough/session/entry/index.js";
import { isRecord } from "@bough/session/text/index.js";
import { imageOfDataUrl } from "../conversion/data-url.js";
import { stringIn } from "../foreign-lines.js";
import type { JsonObject } from "./session-store.js";

/** The block of an answer's part; undefined if the part is bookkeeping. */
export function answerBlock(part: JsonObject): AssistantBlock | undefined {
  switch (part.type) {
    case "text":
      return typeof part.text === "string" && part.text !== "" ? { type: "text", text: part.text } : undefined;
    case "reasoning":
      return { type: "thinking", thinking: stringIn(part.text) ?? "", ...signatureIn(part.metadata) };
    case "tool":
      return {
        type: "toolCall",
        id: stringIn(part.callID) ?? stringIn(part.id) ?? "",
        name: stringIn(part.tool) ?? "unknown",
        arguments: isRecord(part.state) && isRecord(part.state.input) ? part.state.input : {},
      };
    default:
      return undefined;
  }
}

/** The signature with which the provider accepts its own thinking, in the form that our adapter reads. */
function signatureIn(metadata: unknown): Partial<ThinkingBlock> {
  if (!isRecord(metadata)) return {};
  const { anthropic, openai, google } = metadata;
  if (isRecord(anthropic)) {
    if (typeof anthropic.redactedData === "string")
      return { thinkingSignature: anthropic.redactedData, redacted: true };
    if (typeof anthropic.signature === "string") return { thinkingSignature: anthropic.signature };
  }
  if (isRecord(openai) && typeof openai.itemId === "string" && typeof openai.reasoningEncryptedContent === "string") {
    const item = {
      type: "reasoning",
      id: openai.itemId,
      summary: [],
      encrypted_content: openai.reasoningEncryptedContent,
    };
    return { thinkingSignature: JSON.stringify(item) };
  }
  return isRecord(google) && typeof google.thoughtSignature === "string"
    ? { thinkingSignature: google.thoughtSignature }
    : {};
}

interface PartResult extends Pick<ToolResultMessage, "content" | "isError" | "details"> {
  /** False for a call that was still running at the end of the session. */
  readonly final: boolean;
}

const INTERRUPTED = "The tool was interrupted before it had a result.";

/** The result of a tool part, which contains both call and result. */
export function resultOf(part: JsonObject): PartResult {
  const state = isRecord(part.state) ? part.state : {};
  const { status, title, metadata } = state;
  // Omit the time at which the output was cleared: a context edit records that, and the result stays unchanged.
  const { compacted: _cleared, ...time } = isRecord(state.time) ? state.time : {};
  const details = JSON.parse(JSON.stringify({ status, title, metadata, time })) as JsonObject;
  const text = (words: string): TextBlock => ({ type: "text", text: words });
  if (status === "completed" || status === "success") {
    const attached = Array.isArray(state.attachments) ? state.attachments.filter(isRecord) : [];
    const images = attached.flatMap(({ url }) => imageOfDataUrl(url) ?? []);
    const content: (TextBlock | ImageBlock)[] = [text(stringIn(state.output) ?? ""), ...images];
    return { content, isError: false, details, final: true };
  }
  if (status === "error") {
    const partial = isRecord(metadata) && metadata.interrupted === true ? stringIn(metadata.output) : undefined;
    const words = [partial, stringIn(state.error)].filter((each) => each !== undefined && each !== "").join("\n");
    return { content: [text(words)], isError: true, details, final: true };
  }
  return { content: [text(INTERRUPTED)], isError: true, details, final: false };
}

/** The session of the sub-agent that a call started. */
export function childSessionOf({ state }: JsonObject): string | undefined {
  return isRecord(state) && isRecord(state.metadata) ? stringIn(state.metadata.sessionId) : undefined;
}

/** opencode's `input` excludes cached tokens, and only the total cost is known. */
export function usageOf({ tokens, cost }: JsonObject): Usage {
  const counts = isRecord(tokens) ? tokens : {};
  const cache = isRecord(counts.cache) ? counts.cache : {};
  const number = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) ? value : 0);
  const usage = {
    input: number(counts.input),
    output: number(counts.output),
    cacheRead: number(cache.read),
    cacheWrite: number(cache.write),
    reasoning: number(counts.reasoning),
  };
  const total = number(counts.total) || usage.input + usage.output + usage.cacheRead + usage.cacheWrite;
  const spent = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: number(cost) };
  return { ...usage, totalTokens: total, ...(spent.total === 0 ? {} : { cost: spent }) };
}
