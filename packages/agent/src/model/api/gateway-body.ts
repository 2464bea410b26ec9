/**
 * What gateways take on top of Chat Completions: marks for Claude's prompt cache, and thinking that goes back as it came.
 *
 * Without marks, Claude caches nothing through a gateway, and each step pays for the whole conversation. Without its own
 * thinking, it thinks anew after each tool call.
 */
import type { ThinkingBlock } from "@bough/session/entry/index.js";
import { isRecord } from "@bough/session/text/index.js";
import type { ModelInfo } from "../language-model.js";
import type { AssistantPart, Metadata, Prompt } from "../provider-types.js";

type Body = Readonly<Record<string, unknown>>;

const MARK = { cache_control: { type: "ephemeral" } } as const;

/** The body of a request to a gateway that needs more than the protocol; the same body for all others. */
export function gatewayBody({ provider, id }: Pick<ModelInfo, "provider" | "id">, body: Body): Body {
  if (!/claude/i.test(id)) return body;
  if (provider === "openrouter") return { ...body, messages: markedMessages(body.messages) };
  // This gateway places the marks itself, wherever it sends the request.
  if (provider === "vercel") return { ...body, providerOptions: { gateway: { caching: "auto" } } };
  return body;
}

/**
 * Marks the instructions, and the end of each of the last two messages from the user's side, like `withCacheMarks`. All
 * texts that can be marked are lists of parts, marked or not, so that a request starts with the bytes of the one before.
 */
function markedMessages(messages: unknown): unknown {
  if (!Array.isArray(messages)) return messages;
  const list = (messages as readonly unknown[]).filter(isRecord);
  const ends = new Set<number>();
  for (let at = list.length - 1; at >= 0 && ends.size < 2; at--) {
    const next = list[at + 1]?.role;
    if (isFromUser(list[at]?.role) && (next === undefined || next === "assistant")) ends.add(at);
  }
  return list.map((message, at) => {
    const { role, content } = message;
    if (role !== "system" && !isFromUser(role)) return message;
    return { ...message, content: withMark(content, role === "system" || ends.has(at)) };
  });
}

function isFromUser(role: unknown): boolean {
  return role === "user" || role === "tool";
}

function withMark(content: unknown, isMarked: boolean): unknown {
  const parts: unknown = typeof content === "string" ? [{ type: "text", text: content }] : content;
  if (!Array.isArray(parts) || !isMarked) return parts;
  const last = parts.length - 1;
  // A mark on an empty text is refused.
  return (parts as readonly unknown[]).map((part, at) =>
    at === last && isRecord(part) && part.text !== "" ? { ...part, ...MARK } : part,
  );
}

/** The name of collected thinking in the metadata at the end of a stream. */
const DETAILS = "reasoningDetails";

/**
 * Collects `reasoning_details` from the chunks of a stream. Each arrives in pieces: those with the same index are one, and
 * their texts are joined.
 */
export function thinkingCollector(name: string): {
  processChunk(chunk: unknown): void;
  buildMetadata(): Record<string, Record<string, string>> | undefined;
} {
  const details: Record<string, unknown>[] = [];
  return {
    processChunk(chunk) {
      const choices: unknown = isRecord(chunk) ? chunk.choices : undefined;
      const [choice] = Array.isArray(choices) ? (choices as readonly unknown[]) : [];
      const delta = isRecord(choice) ? choice.delta : undefined;
      const pieces: unknown = isRecord(delta) ? delta.reasoning_details : undefined;
      if (!Array.isArray(pieces)) return;
      for (const piece of pieces as readonly unknown[]) if (isRecord(piece)) addPiece(details, piece);
    },
    buildMetadata: () => (details.length === 0 ? undefined : { [name]: { [DETAILS]: JSON.stringify(details) } }),
  };
}

const JOINED = ["text", "summary", "data", "signature"] as const;

function addPiece(details: Record<string, unknown>[], piece: Readonly<Record<string, unknown>>): void {
  const known = details.find(({ type, index }) => type === piece.type && index !== undefined && index === piece.index);
  if (known === undefined) {
    details.push({ ...piece });
    return;
  }
  for (const [name, value] of Object.entries(piece)) {
    const before = known[name];
    const isPiece = JOINED.some((joined) => joined === name) && typeof before === "string" && typeof value === "string";
    if (value !== null && value !== undefined) known[name] = isPiece ? before + value : value;
  }
}

/** The signature of an answer's thinking, from the metadata at the end of its stream. */
export function signatureOfDetails(metadata: Metadata): Omit<ThinkingBlock, "type" | "thinking"> | undefined {
  const details = metadata[DETAILS];
  return typeof details === "string" ? { thinkingSignature: details } : undefined;
}

/** Carries the details of a thinking block to its message, where `withDetails` finds them. */
export function detailsPart({ thinkingSignature = "" }: ThinkingBlock): readonly AssistantPart[] | undefined {
  if (detailsIn(thinkingSignature) === undefined) return undefined;
  return [{ type: "reasoning", text: "", providerOptions: { [DETAILS]: { thinkingSignature } } }];
}

/** Sends the thinking of each answer as it came, in place of its plain text. */
export function withDetails(prompt: Prompt): Prompt {
  return prompt.map((message) => {
    if (message.role !== "assistant") return message;
    const details = message.content.flatMap((part) => {
      const signature = part.providerOptions?.[DETAILS]?.thinkingSignature;
      return typeof signature === "string" ? (detailsIn(signature) ?? []) : [];
    });
    if (details.length === 0) return message;
    return {
      ...message,
      content: message.content.filter(({ type }) => type !== "reasoning"),
      providerOptions: { ...message.providerOptions, openaiCompatible: { reasoning_details: details } },
    };
  });
}

function detailsIn(signature: string): Record<string, string>[] | undefined {
  if (!signature.startsWith("[")) return undefined;
  try {
    const found: unknown = JSON.parse(signature);
    return Array.isArray(found) && found.every(isRecord) && found.length > 0
      ? (found as Record<string, string>[])
      : undefined;
  } catch {
    return undefined;
  }
}
