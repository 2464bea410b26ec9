/** Creates the entries of a chat in order, and tracks which of them set the leaf. */
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

/** The `customType` of context that Gemini CLI itself sends to the model. */
const CONTEXT_TYPE = "gemini.context";

export class ChatEntries {
  readonly calls = new OpenCalls();
  /** For each sub-agent's session, the call that it works for. */
  readonly starters = new Map<string, { readonly callId: string; readonly entryId: EntryId }>();
  readonly #session: string;
  readonly #role: "chat" | "sub-agent";
  readonly #chain: EntryChain;
  readonly #used = new Set<EntryId>();
  /** Results without a call in the chat. */
  readonly #alone = new Set<string>();
  #model: string | undefined;
  /** The last entry that set the leaf. */
  lastTalk: EntryId | null = null;
  /** The first entry created since this was last set to undefined. */
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

  /** Ignored for a sub-agent, whose name must not become the name of its chat. */
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

  /** `parts`: all parts of the message, or only the new ones. */
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

  /** `known`: already added, since Gemini CLI stores most results twice. `alone`: its call is not in the chat. */
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

  /** Whether the result was already added or found to be alone. */
  #isKnown({ id, name, content }: ChatResult): boolean {
    if (id !== undefined && this.calls.knows(id)) return true;
    const gist = contentGist(content);
    if (this.calls.isAnswered(name, gist)) return true;
    const result = `${id ?? ""}:${name}:${gist}`;
    if (this.#alone.has(result)) return true;
    this.#alone.add(result);
    return false;
  }

  /** From here on, shows the model this content instead of a result, as Gemini CLI does. */
  showInstead({ id, result }: AnsweredCall, content: ResultContent, line: number): void {
    const place = this.#chain.take(this.#free(foreignId(this.#session, id, "masked", line), line));
    this.#push({ type: "context_edit", ...place, targetId: result.entryId, replacement: content });
  }

  /** Keeps everything from `firstKept`, or nothing. */
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

  /** The ID, or a new one if it is taken: a message can occur on two branches, or grow after it became an entry. */
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
  result: AddedResult | undefined;
}

export interface AnsweredCall extends OpenCall {
  readonly result: AddedResult;
}

interface AddedResult {
  readonly entryId: EntryId;
  /** Gist of the entry's content. */
  readonly gist: string;
  /** The content that replaced it in Gemini CLI's list, if the output was hidden. */
  now: ResultContent | undefined;
  /** The message at which the result was added. */
  readonly node: MessageNode;
}

function isAnswered(call: OpenCall): call is AnsweredCall {
  return call.result !== undefined;
}

class OpenCalls {
  readonly #byId = new Map<string, OpenCall>();
  #waiting: OpenCall[] = [];

  made({ id, name, entryId }: Omit<OpenCall, "result">): void {
    // No spread, so that all calls share one object shape.
    const open: OpenCall = { id, name, entryId, result: undefined };
    this.#byId.set(id, open);
    this.#waiting.push(open);
  }

  knows(id: string): boolean {
    return this.#byId.has(id);
  }

  /** The call with an ID, if it has a result. */
  answered(id: string): AnsweredCall | undefined {
    const call = this.#byId.get(id);
    return call !== undefined && isAnswered(call) ? call : undefined;
  }

  /** Whether a call with this name has a result with this content. */
  isAnswered(name: string, gist: string): boolean {
    for (const call of this.#byId.values()) if (call.name === name && call.result?.gist === gist) return true;
    return false;
  }

  /** Removes and returns the call that a result answers; undefined if it already has a result or does not exist. */
  take(id: string | undefined, name: string): OpenCall | undefined {
    const call = id === undefined ? undefined : this.#byId.get(id);
    // A result may have an ID although its call was stored without one.
    const found = call ?? this.#waiting.find((open) => open.name === name && open.result === undefined);
    if (found === undefined || found.result !== undefined) return undefined;
    this.#waiting = this.#waiting.filter((open) => open !== found);
    return found;
  }
}
