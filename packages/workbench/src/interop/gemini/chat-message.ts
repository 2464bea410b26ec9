/** Parses messages of Gemini chats, in either of the two formats in which they are stored. */
import type { AssistantBlock, ImageBlock, TextBlock, Usage } from "@bough/session/entry/index.js";
import { defined, isRecord } from "@bough/session/text/index.js";
import { foreignId } from "../foreign-entry.js";
import { stringIn } from "../foreign-lines.js";

export type JsonObject = Readonly<Record<string, unknown>>;

interface ChatCall {
  /** Undefined in checkpoints and compressed histories, where calls and results pair by name and order. */
  readonly id: string | undefined;
  readonly name: string;
  readonly args: JsonObject;
  readonly signature: string | undefined;
}

export interface ChatResult {
  readonly id: string | undefined;
  readonly name: string;
  readonly content: readonly (TextBlock | ImageBlock)[];
  readonly isError: boolean;
  readonly details: JsonObject | undefined;
  /** The session of the sub-agent that did the work. */
  readonly agentId: string | undefined;
  /** The stored object. */
  readonly raw: JsonObject;
}

interface CallPart {
  readonly type: "call";
  readonly call: ChatCall;
}

export type ChatPart = Exclude<AssistantBlock, { type: "toolCall" }> | ImageBlock | CallPart;

export interface ChatMessage {
  readonly id: string | undefined;
  /** `info`, `warning`, `error` and unknown types are only for the user. */
  readonly type: string;
  readonly time: string | undefined;
  readonly parts: readonly ChatPart[];
  readonly results: readonly ChatResult[];
  /** Parts without an equivalent: files, audio, code that the provider ran, and images in answers. */
  readonly others: readonly JsonObject[];
  /** Parts with a thought signature. */
  readonly signed: readonly JsonObject[];
  readonly model: string | undefined;
  readonly usage: Usage | undefined;
  readonly raw: JsonObject;
}

export function chatMessage(raw: JsonObject): ChatMessage {
  const type =
    raw.type === "model" || raw.role === "model" ? "gemini" : (stringIn(raw.type) ?? stringIn(raw.role) ?? "");
  const stored = partsIn(raw.content ?? raw.parts);
  const calls = Array.isArray(raw.toolCalls) ? raw.toolCalls.filter(isRecord) : [];
  const modern = stored.some((part) => isRecord(part.functionCall) || part.thought === true);
  const parts = stored.flatMap(partOf);
  return {
    id: stringIn(raw.id),
    type,
    time: stringIn(raw.timestamp),
    parts: [
      ...(modern ? [] : thoughtsIn(raw.thoughts)),
      ...parts,
      // A refused call is stored only next to the content, not in it.
      ...calls.map(storedCall).filter((call) => !parts.some((part) => isSameCall(part, call))),
    ],
    results: [...calls.flatMap(storedResult), ...stored.flatMap(responseIn)],
    others: stored.filter((part) => hasNoEquivalent(part, type)),
    signed: stored.filter((part) => typeof part.thoughtSignature === "string"),
    model: stringIn(raw.model),
    usage: usageIn(raw.tokens),
    raw,
  };
}

/** A string, one part, or a list of parts and strings. */
function partsIn(content: unknown): JsonObject[] {
  const list: readonly unknown[] = Array.isArray(content) ? content : [content];
  return list.flatMap((part) => (typeof part === "string" ? [{ text: part }] : isRecord(part) ? [part] : []));
}

function partOf(part: JsonObject): ChatPart[] {
  const signature = stringIn(part.thoughtSignature);
  if (isRecord(part.functionCall)) {
    const { id, name, args } = part.functionCall;
    const call = { id: stringIn(id), name: stringIn(name) ?? "unknown", args: isRecord(args) ? args : {}, signature };
    return [{ type: "call", call }];
  }
  if (part.thought === true && typeof part.text === "string") {
    return [{ type: "thinking", thinking: part.text, ...defined({ thinkingSignature: signature }) }];
  }
  if (typeof part.text === "string") {
    if (part.text === "" && signature === undefined) return [];
    return [{ type: "text", text: part.text, ...defined({ textSignature: signature }) }];
  }
  const image = imageIn(part);
  return image === undefined ? [] : [image];
}

function hasNoEquivalent(part: JsonObject, type: string): boolean {
  if (isRecord(part.functionResponse) || typeof part.text === "string") return false;
  const [block] = partOf(part);
  return block === undefined ? Object.keys(part).length > 0 : block.type === "image" && type === "gemini";
}

function imageIn({ inlineData }: JsonObject): ImageBlock | undefined {
  if (!isRecord(inlineData)) return undefined;
  const { mimeType, data } = inlineData;
  if (typeof mimeType !== "string" || typeof data !== "string" || !mimeType.startsWith("image/")) return undefined;
  return { type: "image", data, mimeType };
}

function thoughtsIn(thoughts: unknown): ChatPart[] {
  const list = Array.isArray(thoughts) ? thoughts.filter(isRecord) : [];
  return list.flatMap(({ subject, description }) => {
    const texts = [subject, description].filter((text) => typeof text === "string" && text !== "");
    return texts.length === 0 ? [] : [{ type: "thinking" as const, thinking: texts.join("\n\n") }];
  });
}

function storedCall({ id, name, args }: JsonObject): CallPart {
  const call = { id: stringIn(id), name: stringIn(name) ?? "unknown", args: isRecord(args) ? args : {} };
  return { type: "call", call: { ...call, signature: undefined } };
}

/** Compares by ID or, if one has none, by name and arguments. */
function isSameCall(part: ChatPart, { call }: CallPart): boolean {
  if (part.type !== "call") return false;
  const { id, name, args } = part.call;
  if (id !== undefined && call.id !== undefined) return id === call.id;
  return name === call.name && JSON.stringify(args) === JSON.stringify(call.args);
}

interface KnownMessage {
  /** Whether the known message is identical, including calls. */
  readonly isSame: boolean;
  readonly knows: (id: string) => boolean;
}

/**
 * The new calls of a message that was read before. A call without an ID is known if the message is identical, or if the
 * call is also stored next to the content.
 */
export function newCalls(message: ChatMessage, { isSame, knows }: KnownMessage): CallPart[] {
  const { toolCalls } = message.raw;
  const stored = (Array.isArray(toolCalls) ? toolCalls.filter(isRecord) : []).map(storedCall);
  return message.parts.filter((part): part is CallPart => {
    if (part.type !== "call") return false;
    if (part.call.id !== undefined) return !knows(part.call.id);
    return !isSame && !stored.some((call) => isSameCall(part, call));
  });
}

/** The result of a call that was answered, refused or stopped; empty for a pending one. */
function storedResult(call: JsonObject): ChatResult[] {
  const { id, name, status, result, resultDisplay, displayName, description } = call;
  const failed = status === "error" || status === "cancelled";
  const parts = result === null || result === undefined ? [] : partsIn(result);
  if (parts.length === 0 && !failed) return [];
  const content = parts.flatMap(resultContent);
  const details = { status, displayName, description, resultDisplay };
  return [
    {
      id: stringIn(id),
      name: stringIn(name) ?? "unknown",
      content: content.length > 0 ? content : [{ type: "text", text: status === "cancelled" ? "Cancelled." : "" }],
      isError: failed || parts.some(hasError),
      details: JSON.parse(JSON.stringify(details)) as JsonObject,
      agentId: stringIn(call.agentId),
      raw: call,
    },
  ];
}

function responseIn(part: JsonObject): ChatResult[] {
  if (!isRecord(part.functionResponse)) return [];
  const { id, name } = part.functionResponse;
  const known = { id: stringIn(id), name: stringIn(name) ?? "unknown" };
  const unknown = { details: undefined, agentId: undefined };
  return [{ ...known, content: resultContent(part), isError: hasError(part), ...unknown, raw: part }];
}

function resultContent(part: JsonObject): (TextBlock | ImageBlock)[] {
  if (isRecord(part.functionResponse)) {
    const { response } = part.functionResponse;
    const content = isRecord(response) ? (response.output ?? response.error ?? response) : response;
    return [{ type: "text", text: typeof content === "string" ? content : (JSON.stringify(content) ?? "") }];
  }
  if (typeof part.text === "string") return [{ type: "text", text: part.text }];
  const image = imageIn(part);
  return image === undefined ? [] : [image];
}

function hasError({ functionResponse }: JsonObject): boolean {
  return isRecord(functionResponse) && isRecord(functionResponse.response) && "error" in functionResponse.response;
}

/** Gemini's `input` includes cached tokens, and its `output` does not include thoughts. */
function usageIn(tokens: unknown): Usage | undefined {
  if (!isRecord(tokens)) return undefined;
  const number = (key: string): number => (typeof tokens[key] === "number" ? tokens[key] : 0);
  const cached = number("cached");
  const thoughts = number("thoughts");
  return {
    input: Math.max(0, number("input") - cached),
    output: number("output") + thoughts,
    cacheRead: cached,
    cacheWrite: 0,
    totalTokens: number("total"),
    reasoning: thoughts,
  };
}

export function textOf({ parts }: ChatMessage): string {
  return parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

/** Whether a user message is context that Gemini CLI itself sends. */
export function isContext(text: string): boolean {
  return text.startsWith("<session_context>") || text.startsWith("<hook_context>");
}

/** Whether a user message is a command for Gemini CLI, not for the model. */
export function isCommand(text: string): boolean {
  return text.startsWith("/") || text.startsWith("?");
}

/** Whether a user message contains only tool results. */
export function hasOnlyResults({ type, parts, results }: ChatMessage): boolean {
  return type === "user" && parts.length === 0 && results.length > 0;
}

/** Whether two messages with the same ID have different text. */
export function hasDifferentText(gist: string, other: string): boolean {
  return gist.split(":")[1] !== other.split(":")[1];
}

/** Equal for messages with equal content, since compressed histories give all messages new IDs. */
export function gistOf(message: ChatMessage): string {
  const calls = message.parts.flatMap((part) => (part.type === "call" ? [[part.call.name, part.call.args]] : []));
  // Hashes in one short string, because one is kept in memory per message.
  return [message.type, foreignId(textOf(message)), calls.length === 0 ? "" : foreignId(JSON.stringify(calls))].join(
    ":",
  );
}
