/** Makes the entries of a chat, one after the other, and knows which of them set the leaf. */
import {
  type AssistantBlock,
  type EntryId,
  kindOf,
  LeafEffect,
  leafEffect,
  type SessionEntry,
  type UserContent,
} from "@bough/session/entry/index.js";
import { type EntryChain, millisecondsOf } from "../conversion/entry-chain.js";
import { NO_USAGE } from "../conversion/open-answer.js";
import { foreignId, noteEntry } from "../foreign-entry.js";
import type { ChatMessage, ChatPart, ChatResult } from "./chat-message.js";
import type { MessageNode } from "./message-tree.js";

/** The `customType` of what Gemini CLI itself tells the model. */
const CONTEXT_TYPE = "gemini.context";

export class ChatEntries {
  readonly calls = new OpenCalls();
  /** The call each sub-agent works for, by its session. */
  readonly starters = new Map<string, { readonly callId: string; readonly entryId: EntryId }>();
  readonly #session: string;
  readonly #role: "chat" | "sub-agent";
  readonly #chain: EntryChain;
  readonly #used = new Set<EntryId>();
  /** Results that no call of the chat waits for. */
  readonly #alone = new Set<string>();
  #model: string | undefined;
  /** The last entry that set the leaf. */
  lastTalk: EntryId | null = null;
  /** The first entry since someone set this to undefined. */
  firstMade: EntryId | undefined;

  constructor(session: string, chain: EntryChain, role: "chat" | "sub-agent" = "chat") {
    this.#session = session;
    this.#role = role;
    this.#chain = chain;
  }

  note(record: unknown, line: number, type: string): void {
    const place = this.#chain.take(this.#free(foreignId(this.#session, "note", line), line));
    this.#push(noteEntry(place, { agent: "gemini", type, line, record }));
  }

  /** What a sub-agent calls itself is not a name for the chat it is part of. */
  name(name: string, line: number): void {
    if (this.#role === "sub-agent") return;
    this.#push({ type: "session_info", ...this.#chain.take(foreignId(this.#session, "name", line)), name });
  }

  user(message: ChatMessage, line: number): void {
    const place = this.#chain.take(this.#idOf(message, line));
    const { displayContent } = message.raw;
    const origin = displayContent === undefined ? {} : { origin: { agent: "gemini", displayContent } };
    const user = { role: "user", content: contentOf(message), timestamp: millisecondsOf(place.timestamp) };
    this.#push({ type: "message", ...place, message: user, ...origin } as SessionEntry);
  }

  context(message: ChatMessage, line: number): void {
    const place = this.#chain.take(this.#idOf(message, line));
    const content = contentOf(message);
    this.#push({ type: "custom_message", ...place, customType: CONTEXT_TYPE, content, display: false });
  }

  /** `parts` are those of the message, or what is new of them. */
  answer(message: ChatMessage, line: number, parts: readonly ChatPart[]): void {
    this.#modelChange(message.model, line);
    const place = this.#chain.take(this.#idOf(message, line));
    const content = parts.flatMap((part, at) => this.#block(part, at, place.id));
    this.#push({
      type: "message",
      ...place,
      message: {
        role: "assistant",
        content,
        api: "google-generative-ai",
        provider: "google",
        model: message.model ?? this.#model ?? "",
        usage: message.usage ?? NO_USAGE,
        stopReason: content.some((block) => block.type === "toolCall") ? "toolUse" : "stop",
        timestamp: millisecondsOf(place.timestamp),
      },
    });
  }

  /** `known`: it is here already, because the program stores most results twice. `alone`: its call is not in the chat. */
  result(result: ChatResult, line: number, node: MessageNode): "added" | "known" | "alone" {
    const call = this.calls.take(result.id, result.name);
    if (call === undefined) return this.#isKnown(result) ? "known" : "alone";
    const { agentId, content, isError } = result;
    if (agentId !== undefined) this.starters.set(agentId, { callId: call.id, entryId: call.entryId });
    const subagent = agentId === undefined ? {} : { subagent: foreignId(agentId, "subagent") };
    const details = { ...result.details, ...subagent };
    const place = this.#chain.take(this.#free(foreignId(this.#session, call.id, "result"), line));
    call.result = { entryId: place.id, gist: contentGist(content), now: undefined, node };
    this.#push({
      type: "message",
      ...place,
      message: {
        role: "toolResult",
        toolCallId: call.id,
        toolName: call.name,
        content,
        ...(Object.keys(details).length === 0 ? {} : { details }),
        isError,
        timestamp: millisecondsOf(place.timestamp),
      },
    });
    return "added";
  }

  /** Whether the result was said, or found to be alone before. */
  #isKnown({ id, name, content }: ChatResult): boolean {
    if (id !== undefined && this.calls.knows(id)) return true;
    const gist = contentGist(content);
    if (this.calls.isAnswered(name, gist)) return true;
    const result = `${id ?? ""}:${name}:${gist}`;
    if (this.#alone.has(result)) return true;
    this.#alone.add(result);
    return false;
  }

  /** From here on, the model is shown this in the place of a result, as the program does it. */
  showInstead({ id, result }: AnsweredCall, content: ResultContent, line: number): void {
    const place = this.#chain.take(this.#free(foreignId(this.#session, id, "masked", line), line));
    this.#push({ type: "context_edit", ...place, targetId: result.entryId, replacement: content });
  }

  /** Keeps from `firstKept` on, or nothing. */
  compaction(summary: string, firstKept: EntryId | undefined, line: number): void {
    const place = this.#chain.take(foreignId(this.#session, "compression", line));
    this.#push({ type: "compaction", ...place, summary, firstKeptEntryId: firstKept ?? place.id, tokensBefore: 0 });
  }

  #block(part: ChatPart, at: number, entryId: EntryId): AssistantBlock[] {
    if (part.type === "image") return [];
    if (part.type !== "call") return [part];
    const { name, args, signature } = part.call;
    const id = part.call.id ?? `${name}-${entryId}-${at}`;
    this.calls.made({ id, name, entryId });
    const signed = signature === undefined ? {} : { thoughtSignature: signature };
    return [{ type: "toolCall", id, name, arguments: args, ...signed }];
  }

  #modelChange(model: string | undefined, line: number): void {
    if (model === undefined || model === this.#model) return;
    this.#model = model;
    const place = this.#chain.take(this.#free(foreignId(this.#session, "model", line), line));
    this.#push({ type: "model_change", ...place, provider: "google", modelId: model });
  }

  #push(entry: SessionEntry): void {
    if (leafEffect(kindOf(entry)) === LeafEffect.sets) this.lastTalk = entry.id;
    this.firstMade ??= entry.id;
    this.#chain.push(entry);
  }

  #idOf({ id }: ChatMessage, line: number): EntryId {
    return this.#free(foreignId(this.#session, id ?? `line ${line}`), line);
  }

  /** A message may come twice: on two branches, or because it grew after it was said. */
  #free(id: EntryId, line: number): EntryId {
    let free = id;
    for (let copy = 0; this.#used.has(free); copy++) free = foreignId(id, line, copy);
    this.#used.add(free);
    return free;
  }
}

export type ResultContent = ChatResult["content"];

export function contentGist(content: ResultContent): string {
  return foreignId(JSON.stringify(content));
}

function contentOf({ parts }: ChatMessage): UserContent {
  return parts.filter((part) => part.type === "text" || part.type === "image");
}

interface OpenCall {
  readonly id: string;
  readonly name: string;
  readonly entryId: EntryId;
  result: SaidResult | undefined;
}

export interface AnsweredCall extends OpenCall {
  readonly result: SaidResult;
}

interface SaidResult {
  readonly entryId: EntryId;
  /** What the entry says. */
  readonly gist: string;
  /** What the program has in its place by now, if it hid the output. */
  now: ResultContent | undefined;
  /** The message the chat was at. */
  readonly node: MessageNode;
}

function isAnswered(call: OpenCall): call is AnsweredCall {
  return call.result !== undefined;
}

class OpenCalls {
  readonly #byId = new Map<string, OpenCall>();
  #waiting: OpenCall[] = [];

  made({ id, name, entryId }: Omit<OpenCall, "result">): void {
    // Written out: a spread object would have its own shape, and there are as many as calls.
    const open: OpenCall = { id, name, entryId, result: undefined };
    this.#byId.set(id, open);
    this.#waiting.push(open);
  }

  knows(id: string): boolean {
    return this.#byId.has(id);
  }

  /** Undefined if no one called, or if there is no result yet. */
  answered(id: string): AnsweredCall | undefined {
    const call = this.#byId.get(id);
    return call !== undefined && isAnswered(call) ? call : undefined;
  }

  /** Whether a call of this name has a result that says this. */
  isAnswered(name: string, gist: string): boolean {
    for (const call of this.#byId.values()) if (call.name === name && call.result?.gist === gist) return true;
    return false;
  }

  /** The call a result answers, which no longer waits; undefined if it is answered, or if no one called. */
  take(id: string | undefined, name: string): OpenCall | undefined {
    const call = id === undefined ? undefined : this.#byId.get(id);
    // A result may carry an id although its call was stored without.
    const found = call ?? this.#waiting.find((open) => open.name === name && open.result === undefined);
    if (found === undefined || found.result !== undefined) return undefined;
    this.#waiting = this.#waiting.filter((open) => open !== found);
    return found;
  }
}
