/** The records of one chat become entries. Whatever list of messages the chat held at some time is a path of the tree. */
import type { AssistantBlock, ImageBlock, SessionEntry, TextBlock, UserContent } from "../../entry/index.js";
import { EntryChain, millisecondsOf } from "../conversion/entry-chain.js";
import { NO_USAGE } from "../conversion/open-answer.js";
import { foreignId, isConversationEntry, noteEntry, positionEntry } from "../foreign-entry.js";
import { isObject, stringIn } from "../foreign-lines.js";
import type { LossCollector, RecordFate } from "../loss-report.js";
import {
  bringsOnlyResults,
  type ChatMessage,
  type ChatResult,
  chatMessage,
  gistOf,
  isCommand,
  isContext,
  type JsonObject,
  textOf,
} from "./chat-message.js";
import { compressionIn } from "./compression.js";
import { MessageNode } from "./message-tree.js";
import { OpenCalls } from "./open-calls.js";

/** The `customType` of what Gemini CLI itself tells the model. */
export const CONTEXT_TYPE = "gemini.context";

export interface ChatConversionOptions {
  readonly session: string;
  readonly file: string;
  readonly report: LossCollector;
  readonly chain: EntryChain;
}

interface HeldMessage {
  readonly message: ChatMessage;
  readonly line: number;
}

const KNOWN_TYPES: ReadonlySet<string> = new Set(["user", "gemini", "info", "warning", "error"]);

export class ChatConversion {
  readonly #options: ChatConversionOptions;
  readonly #chain: EntryChain;
  readonly #calls = new OpenCalls();
  readonly #root: MessageNode;
  readonly #used = new Set<string>();
  /** The call each sub-agent works for, by its session. */
  readonly starters = new Map<string, { readonly callId: string; readonly entryId: string }>();
  #at: MessageNode;
  /** Written again and again while it grows; said when something else comes. */
  #held: HeldMessage | undefined;
  #behind: HeldMessage[] = [];
  #lastTalk: string | null;
  #model: string | undefined;
  #named = false;

  constructor(options: ChatConversionOptions) {
    this.#options = options;
    this.#chain = options.chain;
    this.#root = new MessageNode(undefined, { id: undefined, gist: "" });
    this.#root.last = options.chain.leaf;
    this.#lastTalk = null;
    this.#at = this.#root;
  }

  feed(record: JsonObject, line: number): void {
    if (typeof record.$rewindTo === "string") this.#rewind(record.$rewindTo, line);
    else if (typeof record.id === "string" || typeof record.role === "string") this.#message({ message: chatMessage(record), line });
    else if (isObject(record.$set)) this.#set(record.$set, record, line);
    else if (typeof record.sessionId === "string") this.#meta(record, line);
    else this.#note(record, line, { type: "(unknown)", unknown: true });
  }

  /** The reading ends here, for now: what is held is said as it is, and where the leaf is. */
  settle(records: number): void {
    this.#release();
    if (this.#at.talk === this.#lastTalk) return;
    this.#lastTalk = this.#at.talk;
    const { session } = this.#options;
    this.#chain.push(positionEntry(this.#at.talk, this.#chain.time, `${session}:${records}`));
  }

  #meta(record: JsonObject, line: number): void {
    if (this.#named) {
      this.#count("reported", line, "metadata", "says again whose chat it is");
      return;
    }
    this.#named = true;
    this.#chain.hearTime(record.startTime);
    const { messages: _messages, ...meta } = record;
    this.#note(meta, line, { type: "metadata" });
    this.#name(record.summary, line);
    if (this.#at === this.#root) this.#root.last = this.#chain.leaf;
  }

  #message(held: HeldMessage): void {
    const { id, type } = held.message;
    const { type: before, id: open } = this.#held?.message ?? {};
    if (this.#held !== undefined && id !== undefined && id === open && type === before) {
      this.#count("converted", this.#held.line, type, "written again as it grew");
      this.#held = held;
    } else if (this.#held !== undefined && type !== "user" && type !== "gemini") this.#behind.push(held);
    else {
      this.#release();
      this.#held = held;
    }
  }

  #release(): void {
    const held = this.#held === undefined ? this.#behind : [this.#held, ...this.#behind];
    this.#held = undefined;
    this.#behind = [];
    for (const { message, line } of held) this.#place(message, line);
  }

  #place(message: ChatMessage, line: number): void {
    this.#chain.hearTime(message.time);
    const known = this.#at.path().findLast((node) => message.id !== undefined && node.ids.includes(message.id) && node.sameKind(gistOf(message)));
    if (known !== undefined) this.#again(message, line);
    else if (message.type === "gemini") this.#answer(message, line);
    else if (message.type === "user") this.#user(message, line);
    else this.#told(message, line);
  }

  #user(message: ChatMessage, line: number): void {
    if (bringsOnlyResults(message)) {
      const added = message.results.filter((result) => this.#result(result, line)).length;
      if (added > 0) this.#count("converted", line, "user");
      else this.#count("reported", line, "user", "its results stand with their calls");
      return;
    }
    const text = textOf(message).trimStart();
    if (isCommand(text) || message.parts.length === 0) {
      this.#node(message, () => this.#note(message.raw, line, { type: "user", reason: "not for the model" }));
      return;
    }
    const content = message.parts.filter((part) => part.type === "text" || part.type === "image");
    this.#node(message, () => {
      const place = this.#chain.take(this.#id(message, line));
      if (isContext(text)) {
        const custom = { customType: CONTEXT_TYPE, content: content as UserContent, display: false };
        this.#push({ type: "custom_message", ...place, ...custom });
      } else {
        const user = { role: "user" as const, content, timestamp: millisecondsOf(place.timestamp) };
        const { displayContent } = message.raw;
        const origin = displayContent === undefined ? {} : { origin: { agent: "gemini", displayContent } };
        this.#push({ type: "message", ...place, message: user, ...origin } as SessionEntry);
      }
      for (const result of message.results) this.#result(result, line);
    });
    this.#count(isContext(text) ? "converted" : "kept", line, "user");
  }

  #answer(message: ChatMessage, line: number): void {
    this.#node(message, () => {
      this.#modelChange(message, line);
      this.#answerEntry(message, line, message.parts);
      for (const result of message.results) this.#result(result, line);
    });
    this.#count(message.results.length > 0 ? "converted" : "kept", line, message.type);
  }

  #answerEntry(message: ChatMessage, line: number, parts: ChatMessage["parts"]): void {
    const place = this.#chain.take(this.#id(message, line));
    const content = parts.flatMap((part, at): AssistantBlock[] => {
      if (part.type === "image") return [];
      if (part.type !== "call") return [part];
      const { name, args, signature } = part.call;
      const id = part.call.id ?? `${name}-${place.id}-${at}`;
      this.#calls.made({ id, name, entryId: place.id });
      return [{ type: "toolCall", id, name, arguments: args, ...(signature === undefined ? {} : { thoughtSignature: signature }) }];
    });
    const hasCalls = content.some((block) => block.type === "toolCall");
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
        stopReason: hasCalls ? "toolUse" : "stop",
        timestamp: millisecondsOf(place.timestamp),
      },
    });
  }

  /** A message that was said already is written again: only calls and results can be new. */
  #again(message: ChatMessage, line: number): void {
    const parts = message.parts.filter((part) => part.type === "call" && part.call.id !== undefined && !this.#calls.knows(part.call.id));
    if (parts.length > 0) this.#answerEntry({ ...message, usage: undefined }, line, parts);
    const added = message.results.filter((result) => this.#result(result, line)).length;
    if (parts.length + added > 0) {
      this.#at.last = this.#chain.leaf;
      this.#at.talk = this.#lastTalk;
      this.#count("converted", line, message.type, "written again as it grew");
    } else this.#count("reported", line, message.type, "written again without news");
  }

  /** False where nobody waits for the result: the program stores results twice. */
  #result(result: ChatResult, line: number): boolean {
    const call = this.#calls.answer(result.id, result.name);
    if (call === undefined) return false;
    const { session } = this.#options;
    const place = this.#chain.take(this.#unused(foreignId(session, call.id, "result"), line));
    const { agentId } = result;
    if (agentId !== undefined) this.starters.set(agentId, { callId: call.id, entryId: call.entryId });
    const subagent = agentId === undefined ? {} : { subagent: foreignId(agentId, "subagent") };
    const details = result.details === undefined && agentId === undefined ? {} : { details: { ...result.details, ...subagent } };
    this.#push({
      type: "message",
      ...place,
      message: {
        ...{ role: "toolResult", toolCallId: call.id, toolName: call.name, content: result.content, ...details },
        ...{ isError: result.isError, timestamp: millisecondsOf(place.timestamp) },
      },
    });
    return true;
  }

  /** Told to the user only. */
  #told({ raw, type, time }: ChatMessage, line: number): void {
    this.#chain.hearTime(time);
    const unknown = !KNOWN_TYPES.has(type);
    this.#note(raw, line, { type: type === "" ? "(no type)" : type, unknown });
  }

  #rewind(id: string, line: number): void {
    this.#release();
    const target = this.#at.path().find((node) => node.ids.includes(id));
    // The program drops everything where it does not know the message.
    this.#go(target?.parent ?? this.#root);
    this.#count("converted", line, "$rewindTo", target === undefined ? "its message is not in the chat" : undefined);
  }

  #set(set: JsonObject, record: JsonObject, line: number): void {
    const { messages, summary, lastUpdated: _time, sessionId: _session, ...rest } = set;
    if (Array.isArray(messages)) {
      this.#release();
      this.#list(messages.filter(isObject).map(chatMessage), line);
    } else if (this.#name(summary, line)) this.#count("converted", line, "$set", "a name for the chat");
    else if (Object.keys(rest).length > 0) this.#note(record, line, { type: "$set" });
    else this.#count("reported", line, "$set", "only says when, or whose");
  }

  /** The list of messages is replaced: the longest known path is followed, the rest is new. */
  #list(messages: readonly ChatMessage[], line: number): void {
    const before = this.#at;
    let node = this.#root;
    let at = 0;
    for (; at < messages.length; at++) {
      const message = messages[at] as ChatMessage;
      if (bringsOnlyResults(message)) continue;
      const next = node.child(message.id, gistOf(message));
      if (next === undefined) break;
      node = next;
    }
    const rest = messages.slice(at);
    const compression = compressionIn(rest, node, before);
    if (compression !== undefined) {
      this.#compaction(compression.summary, compression.firstKept, line);
      node = this.#mirror(rest.slice(0, compression.covered), node);
      rest.splice(0, compression.covered);
    } else this.#go(node);
    this.#at = node;
    const fate = compression !== undefined || rest.length > 0 || node !== before ? "converted" : "reported";
    for (const message of rest) this.#listed(message, line);
    this.#count(fate, line, "$set.messages", fate === "reported" ? "the same messages as before" : undefined);
  }

  /** A message of a list is no record of its own: the list is counted, once. */
  #listed(message: ChatMessage, line: number): void {
    const { report, ...options } = { ...this.#options, report: undefined };
    void report;
    void options;
    this.#silent = true;
    try {
      this.#place(message, line);
    } finally {
      this.#silent = false;
    }
  }
  #silent = false;

  #compaction(summary: string, firstKept: string | undefined, line: number): void {
    const { session } = this.#options;
    const place = this.#chain.take(foreignId(session, "compression", line));
    this.#push({ type: "compaction", ...place, summary, firstKeptEntryId: firstKept ?? place.id, tokensBefore: 0 });
  }

  /** Messages of a compressed history stand for what is above; later lists name them by their new ids. */
  #mirror(messages: readonly ChatMessage[], start: MessageNode): MessageNode {
    let node = start;
    const old = this.#at.path();
    for (const message of messages) {
      if (bringsOnlyResults(message)) continue;
      const gist = gistOf(message);
      const original = old.findLast((candidate) => candidate.gist === gist);
      node = new MessageNode(node, { id: message.id, gist });
      node.first = original?.first ?? this.#chain.leaf;
      node.last = this.#chain.leaf;
      node.talk = this.#lastTalk;
    }
    return node;
  }

  #go(node: MessageNode): void {
    this.#at = node;
    this.#chain.leaf = node.last;
  }

  #node(message: ChatMessage, emit: () => void): void {
    const node = new MessageNode(this.#at, { id: message.id, gist: gistOf(message) });
    const before = this.#chain.leaf;
    const talk = this.#at.talk;
    this.#nodeTalk = talk;
    this.#nodeFirst = undefined;
    emit();
    node.first = this.#nodeFirst ?? before;
    node.last = this.#chain.leaf;
    node.talk = this.#nodeTalk;
    this.#at = node;
  }
  #nodeTalk: string | null = null;
  #nodeFirst: string | undefined;

  #modelChange({ model }: ChatMessage, line: number): void {
    if (model === undefined || model === this.#model) return;
    this.#model = model;
    const { session } = this.#options;
    const place = this.#chain.take(this.#unused(foreignId(session, "model", model, line), line));
    this.#push({ type: "model_change", ...place, provider: "google", modelId: model });
  }

  #name(name: unknown, line: number): boolean {
    if (typeof name !== "string" || name.trim() === "") return false;
    const place = this.#chain.take(foreignId(this.#options.session, "name", line));
    this.#push({ type: "session_info", ...place, name });
    return true;
  }

  #push(entry: SessionEntry): void {
    if (isConversationEntry(entry) || entry.type === "model_change") {
      this.#lastTalk = entry.id;
      this.#nodeTalk = entry.id;
    }
    this.#nodeFirst ??= entry.id;
    this.#chain.push(entry);
  }

  #note(record: unknown, line: number, { type, reason, unknown = false }: { type: string; reason?: string; unknown?: boolean }): void {
    const { session, report } = this.#options;
    if (unknown) report.nameUnknown(`record type ${type}`);
    const place = this.#chain.take(this.#unused(foreignId(session, "note", line), line));
    this.#push(noteEntry(place, { agent: "gemini", type, line, record }));
    this.#count("note", line, type, reason);
  }

  #count(fate: RecordFate, line: number, type: string, reason?: string): void {
    if (this.#silent) return;
    const { file, report } = this.#options;
    report.count(fate, { file, line, type, ...(reason === undefined ? {} : { reason }) });
  }

  #id({ id }: ChatMessage, line: number): string {
    return this.#unused(foreignId(this.#options.session, id ?? `line ${line}`), line);
  }

  /** A message may come twice, on two branches, or grow after it was said. */
  #unused(id: string, line: number): string {
    let free = id;
    for (let copy = 0; this.#used.has(free); copy++) free = foreignId(id, line, copy);
    this.#used.add(free);
    return free;
  }
}

export type { ImageBlock, TextBlock };
void stringIn;
