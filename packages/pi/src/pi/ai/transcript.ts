/** A request in the form in which pi passes it on: prompt and tools are in system messages of the transcript. */
import { contentText as textOf } from "@bough/session/entry/index.js";
import { isRecord } from "@bough/session/text/index.js";

export interface ToolDeclaration {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface SystemMessage {
  readonly role: "system";
  readonly content: string | readonly { readonly type: "text"; readonly text: string }[];
  readonly sections?: Readonly<Record<string, string | null>>;
  readonly toolsAdded?: readonly ToolDeclaration[];
  readonly toolsRemoved?: readonly { readonly name: string }[];
  readonly timestamp: number;
}

interface TranscriptMessage {
  readonly role: string;
}

export interface Context {
  readonly systemPrompt?: string;
  readonly messages: readonly TranscriptMessage[];
  readonly tools?: readonly ToolDeclaration[];
}

export interface TranscriptContext {
  readonly messages: readonly TranscriptMessage[];
}

function isSystem(message: TranscriptMessage): message is SystemMessage {
  return message.role === "system";
}

export function contentText(content: unknown, separator = "\n"): string {
  if (typeof content === "string" || separator === "\n") return textOf(content);
  const blocks = Array.isArray(content) ? (content as readonly unknown[]) : [];
  return blocks
    .filter((block) => isRecord(block) && block.type === "text")
    .map((block) => String((block as { readonly text: unknown }).text))
    .join(separator);
}

/** Undefined without a prompt and tools. */
export function createInitialSystemMessage(
  systemPrompt: string | undefined,
  tools: readonly ToolDeclaration[] | undefined,
): SystemMessage | undefined {
  if ((systemPrompt ?? "") === "" && (tools ?? []).length === 0) return undefined;
  return {
    role: "system",
    content: systemPrompt ?? "",
    ...(tools !== undefined && tools.length > 0 ? { toolsAdded: tools.map(toToolDeclaration) } : {}),
    timestamp: 0,
  };
}

/** Moves the prompt and the tools of a request into its first message. */
export function normalizeContext({ systemPrompt, messages, tools }: Context): TranscriptContext {
  const first = createInitialSystemMessage(systemPrompt, tools);
  return { messages: first === undefined ? messages : [first, ...messages] };
}

export function getInitialSystemMessage(messages: readonly TranscriptMessage[]): SystemMessage | undefined {
  const [first] = messages;
  return first !== undefined && isSystem(first) ? first : undefined;
}

export function withoutInitialSystemMessage(messages: readonly TranscriptMessage[]): readonly TranscriptMessage[] {
  return getInitialSystemMessage(messages) === undefined ? messages : messages.slice(1);
}

/** The tools that result from all messages which added or removed some. */
export function getCurrentTools(messages: readonly TranscriptMessage[]): readonly ToolDeclaration[] {
  const tools = new Map<string, ToolDeclaration>();
  for (const message of messages) {
    if (!isSystem(message)) continue;
    for (const { name } of message.toolsRemoved ?? []) tools.delete(name);
    for (const tool of message.toolsAdded ?? []) tools.set(tool.name, tool);
  }
  return [...tools.values()];
}

export function getCurrentSystemMessage(messages: readonly TranscriptMessage[]): SystemMessage | undefined {
  const system = messages.filter(isSystem);
  const [first] = system;
  if (first === undefined) return undefined;
  const sections = new Map<string, string>();
  for (const message of system) {
    for (const [name, text] of Object.entries(message.sections ?? {})) {
      if (text === null) sections.delete(name);
      else sections.set(name, text);
    }
  }
  const content = system.map((message) => textOf(message.content)).filter((text) => text !== "");
  const toolsAdded = getCurrentTools(messages);
  return {
    role: "system",
    content: content.join("\n\n"),
    ...(sections.size > 0 ? { sections: Object.fromEntries(sections) } : {}),
    ...(toolsAdded.length > 0 ? { toolsAdded } : {}),
    timestamp: first.timestamp,
  };
}

export function getSystemMessageText({ content, sections }: SystemMessage): string {
  const parts = [textOf(content), ...Object.values(sections ?? {})];
  return parts.filter((part) => typeof part === "string" && part !== "").join("\n\n");
}

export function getCurrentSystemPrompt(messages: readonly TranscriptMessage[]): string {
  const message = getCurrentSystemMessage(messages);
  return message === undefined ? "" : getSystemMessageText(message);
}

/** Merges all system messages into one at the start. */
export function collapseSystemMessages({ messages }: TranscriptContext): TranscriptContext {
  const first = getCurrentSystemMessage(messages);
  const others = messages.filter((message) => !isSystem(message));
  return { messages: first === undefined ? others : [first, ...others] };
}

export function resolveTranscript(
  context: TranscriptContext,
  acceptsLaterSystem: boolean | undefined,
): TranscriptContext {
  return acceptsLaterSystem === true ? context : collapseSystemMessages(context);
}

/** The part of a tool that is sent to a model, as plain JSON. */
export function toToolDeclaration({ name, description, parameters }: ToolDeclaration): ToolDeclaration {
  return { name, description, parameters: plainSchema(parameters) };
}

export function declarationsEqual(left: ToolDeclaration, right: ToolDeclaration): boolean {
  return JSON.stringify(toToolDeclaration(left)) === JSON.stringify(toToolDeclaration(right));
}

/** A library's schema as plain JSON Schema, without symbols and functions. */
export function plainSchema(schema: unknown): Readonly<Record<string, unknown>> {
  const plain: unknown = JSON.parse(JSON.stringify(schema ?? {}));
  return isRecord(plain) ? plain : {};
}
