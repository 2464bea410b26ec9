/**
 * Converts the records of a chat to entries. Every list of messages that the chat ever had becomes a path of the tree.
 */
import { isRecord } from "@bough/session/text/index.js";
import type { EntryChain } from "../conversion/entry-chain.js";
import { positionEntry } from "../foreign-entry.js";
import type { LossCollector, RecordFate } from "../loss-report.js";
import { type AnsweredCall, type ChatEntries, contentGist, type ResultContent } from "./chat-entries.js";
import {
  type ChatMessage,
  type ChatPart,
  chatMessage,
  gistOf,
  hasDifferentText,
  hasOnlyResults,
  isCommand,
  isContext,
  type JsonObject,
  newCalls,
  textOf,
} from "./chat-message.js";
import { compressionIn } from "./compression.js";
import { MessageNode } from "./message-tree.js";
import { ThoughtSignatures } from "./thought-signatures.js";

interface ChatConversionOptions {
  readonly session: string;
  readonly file: string;
  readonly report: LossCollector;
  readonly chain: EntryChain;
  readonly entries: ChatEntries;
}

interface HeldMessage {
  readonly message: ChatMessage;
  readonly line: number;
}

/** A message, and calls that were added to it after it became an entry. */
interface LateCalls {
  readonly message: ChatMessage;
  readonly parts: readonly ChatPart[];
}

/** What a record became. */
interface Verdict {
  readonly fate: RecordFate;
  readonly reason?: string;
}

const KNOWN_TYPES: ReadonlySet<string> = new Set(["user", "gemini", "info", "warning", "error"]);
const SIGNED = "signatures of earlier thoughts become a note";
const LATE = "new calls or results of earlier messages";
const HIDES = "hides old output";
const ALONE = "answers a call that is not in the chat";
const GREW: Verdict = { fate: "converted", reason: "rewritten while it grew" };

export class ChatConversion {
  readonly #options: ChatConversionOptions;
  readonly #chain: EntryChain;
  readonly #entries: ChatEntries;
  readonly #root = new MessageNode(undefined, { id: undefined, gist: "" });
  #at = this.#root;
  /** The message that may still be rewritten as it grows. Becomes an entry when another record follows. */
  #held: HeldMessage | undefined;
  /** Messages for the user that followed it. */
  #following: HeldMessage[] = [];
  #named = false;
  /** IDs of all messages, so that new ones need not be searched for on the whole path. */
  readonly #seen = new Set<string>();
  /** Calls whose results Gemini CLI ever hid from the model. */
  readonly #hidden = new Set<AnsweredCall>();
  readonly #signatures = new ThoughtSignatures();
  readonly #knowsCall = (id: string): boolean => this.#entries.calls.knows(id);

  constructor(options: ChatConversionOptions) {
    this.#options = options;
    this.#chain = options.chain;
    this.#entries = options.entries;
    this.#root.last = options.chain.leaf;
  }

  /** Classifies a record by its keys, in the same order as Gemini CLI does. */
  feed(record: JsonObject, line: number): void {
    if (typeof record.$rewindTo === "string") this.#rewind(record.$rewindTo, line);
    else if (typeof record.id === "string" || typeof record.role === "string") {
      this.#message({ message: chatMessage(record), line });
    } else if (isRecord(record.$set)) this.#set(record.$set, record, line);
    else if (typeof record.sessionId === "string") this.#meta(record, line);
    else {
      this.#options.report.nameUnknown("a record that is neither a message nor a setting");
      this.#note(record, line, "(unknown)");
    }
  }

  /** Ends the read at this point: the held message becomes an entry, and a position entry marks the leaf. */
  settle(records: number): void {
    this.#release();
    const { talk } = this.#at;
    if (talk === this.#entries.lastTalk) return;
    this.#entries.lastTalk = talk;
    this.#chain.push(positionEntry(talk, this.#chain.time, `${this.#options.session}:${records}`));
  }

  #meta(record: JsonObject, line: number): void {
    if (this.#named) {
      this.#count(line, "metadata", { fate: "reported", reason: "repeats the metadata of the chat" });
      return;
    }
    this.#named = true;
    this.#chain.noteTime(record.startTime);
    this.#note(record, line, "metadata");
    if (typeof record.summary === "string" && record.summary !== "") this.#entries.name(record.summary, line);
    if (this.#at === this.#root) this.#root.last = this.#chain.leaf;
  }

  #message(held: HeldMessage): void {
    const { id, type } = held.message;
    const open = this.#held?.message;
    if (this.#held !== undefined && id !== undefined && id === open?.id && type === open.type) {
      this.#count(this.#held.line, type, GREW);
      this.#held = held;
    } else if (this.#held !== undefined && type !== "user" && type !== "gemini") this.#following.push(held);
    else {
      this.#release();
      this.#held = held;
    }
  }

  #release(): void {
    const held = this.#held === undefined ? this.#following : [this.#held, ...this.#following];
    this.#held = undefined;
    this.#following = [];
    for (const { message, line } of held) this.#count(line, message.type, this.#place(message, line));
  }

  #place(message: ChatMessage, line: number): Verdict {
    this.#chain.noteTime(message.time);
    const { type } = message;
    if (type === "user" && hasOnlyResults(message)) return this.#results(message, line);
    if (this.#isOnPath(message)) return this.#rewritten(message, line);
    if (type === "gemini") return this.#answer(message, line);
    if (type === "user") return this.#user(message, line);
    if (!KNOWN_TYPES.has(type)) this.#options.report.nameUnknown(`message type ${type}`);
    this.#entries.note(message.raw, line, type);
    return { fate: "note" };
  }

  #isOnPath(message: ChatMessage): boolean {
    const { id } = message;
    if (id === undefined || !this.#seen.has(id)) return false;
    const gist = gistOf(message);
    return this.#at.find((node) => node.ids.includes(id) && node.sameKind(gist)) !== undefined;
  }

  #user(message: ChatMessage, line: number): Verdict {
    const text = textOf(message).trimStart();
    const forModel = !isCommand(text) && message.parts.length > 0;
    this.#grow(message, () => {
      if (!forModel) this.#entries.note(message.raw, line, "user");
      else if (isContext(text)) this.#entries.context(message, line);
      else this.#entries.user(message, line);
      this.#takeResults(message, line);
    });
    if (!forModel) return { fate: "note", reason: "not for the model" };
    return this.#withOthers(message, line, { fate: isContext(text) ? "converted" : "kept" });
  }

  #answer(message: ChatMessage, line: number): Verdict {
    this.#signatures.see(message);
    this.#grow(message, () => {
      this.#entries.answer(message, line, message.parts);
      this.#takeResults(message, line);
    });
    return this.#withOthers(message, line, { fate: message.results.length > 0 ? "converted" : "kept" });
  }

  /** Keeps parts without an equivalent as a note next to the message. */
  #withOthers({ id, others }: ChatMessage, line: number, verdict: Verdict): Verdict {
    if (others.length === 0) return verdict;
    this.#extend(() => this.#entries.note({ id, parts: others }, line, "parts"));
    return { fate: "converted", reason: "parts without an equivalent are kept as a note" };
  }

  #results(message: ChatMessage, line: number): Verdict {
    const { added, alone } = this.#extend(() => this.#takeResults(message, line));
    const told: Verdict =
      alone > 0
        ? { fate: added > 0 ? "converted" : "note", reason: ALONE }
        : added > 0
          ? { fate: "converted" }
          : { fate: "reported", reason: "its results are already with their calls" };
    return this.#withOthers(message, line, told);
  }

  /** Adds the results of a message. Those whose call is not in the chat become a note. */
  #takeResults({ id, results }: ChatMessage, line: number): { readonly added: number; readonly alone: number } {
    const fates = results.map((result) => ({ result, fate: this.#entries.result(result, line, this.#at) }));
    const alone = fates.flatMap(({ result, fate }) => (fate === "alone" ? [result.raw] : []));
    if (alone.length > 0) this.#entries.note({ id, parts: alone }, line, "functionResponse");
    return { added: fates.filter(({ fate }) => fate === "added").length, alone: alone.length };
  }

  /** Adds calls that a message got later, and its results. Returns false if there are none. */
  #addLate({ message, parts }: LateCalls, line: number): boolean {
    if (parts.length > 0) this.#entries.answer({ ...message, usage: undefined }, line, parts);
    const { added, alone } = this.#takeResults(message, line);
    for (const part of parts) if (part.type === "call") this.#signatures.take(part.call.signature);
    return parts.length + added + alone > 0;
  }

  /** Handles a message that is rewritten: only calls, results and signatures can be new. */
  #rewritten(message: ChatMessage, line: number): Verdict {
    const { id } = message;
    const gist = gistOf(message);
    const said = this.#at.find((node) => id !== undefined && node.ids.includes(id) && node.sameKind(gist));
    const parts = newCalls(message, { isSame: said?.gist === gist, knows: this.#knowsCall });
    const added = this.#extend(() => this.#addLate({ message, parts }, line));
    const masked = this.#mask([message], [], line);
    const signed = this.#sign([message], line);
    if (said !== undefined && hasDifferentText(said.gist, gist)) {
      said.gist = gist;
      this.#extend(() => this.#entries.note(message.raw, line, message.type));
      return { fate: "note", reason: "rewritten with different text" };
    }
    if (said !== undefined) said.gist = gist;
    if (added) return GREW;
    if (masked) return { fate: "converted", reason: HIDES };
    return signed ? { fate: "converted", reason: SIGNED } : { fate: "reported", reason: "rewritten unchanged" };
  }

  #rewind(id: string, line: number): void {
    this.#release();
    const target = this.#at.find((node) => node.ids.includes(id));
    // Gemini CLI drops all messages if it does not know this one.
    this.#go(target?.parent ?? this.#root);
    this.#hideAgain(line);
    const unknown = target === undefined ? { reason: "its message is not in the chat" } : {};
    this.#count(line, "$rewindTo", { fate: "converted", ...unknown });
  }

  #set(set: JsonObject, record: JsonObject, line: number): void {
    const { messages, summary, lastUpdated: _time, sessionId: _session, ...rest } = set;
    if (Array.isArray(messages)) this.#list(messages.filter(isRecord).map(chatMessage), line);
    else if (typeof summary === "string" && summary !== "") {
      this.#release();
      this.#entries.name(summary, line);
      this.#count(line, "$set", { fate: "converted", reason: "a name for the chat" });
    } else if (Object.keys(rest).length > 0) {
      this.#release();
      this.#note(record, line, "$set");
    } else this.#count(line, "$set", { fate: "reported", reason: "has only a time or session ID" });
  }

  /** Handles a replaced list of messages: follows the longest known path, and adds the rest. */
  #list(messages: readonly ChatMessage[], line: number): void {
    this.#release();
    const before = this.#at;
    let common = this.#root;
    let at = 0;
    /** Messages that were changed in place, as Gemini CLI does to hide old output from the model. */
    const reworded: ChatMessage[] = [];
    const late = new Map<ChatMessage, readonly ChatPart[]>();
    for (; at < messages.length; at++) {
      const message = messages[at] as ChatMessage;
      if (hasOnlyResults(message)) continue;
      const gist = gistOf(message);
      const next = common.child(message.id, gist);
      if (next === undefined) break;
      late.set(message, newCalls(message, { isSame: next.gist === gist, knows: this.#knowsCall }));
      if (hasDifferentText(next.gist, gist)) reworded.push(message);
      next.gist = gist;
      common = next;
    }
    const followed = messages.slice(0, at);
    let rest = messages.slice(at);
    let known = followed;
    const compression = compressionIn(rest, common, before);
    if (compression === undefined) this.#go(common);
    const grew = this.#extend(
      () => followed.filter((message) => this.#addLate({ message, parts: late.get(message) ?? [] }, line)).length > 0,
    );
    if (compression !== undefined) {
      const { summary, firstKept, covered } = compression;
      this.#entries.compaction(summary, firstKept, line);
      this.#at = this.#mirror(rest.slice(0, covered), common);
      known = messages.slice(0, at + covered);
      rest = rest.slice(covered);
    }
    const masked = this.#mask(followed, reworded, line);
    const signed = this.#sign(known, line);
    const news = compression !== undefined || rest.length > 0 || common !== before || masked || grew || signed;
    // Messages in a list are not records of their own, so only the list is counted.
    for (const message of rest) this.#place(message, line);
    const reason = masked ? HIDES : grew ? LATE : signed ? SIGNED : undefined;
    const verdict: Verdict = { fate: "converted", reason };
    this.#count(line, "$set.messages", news ? verdict : { fate: "reported", reason: "nothing new" });
  }

  /** Keeps signatures that messages got after they became entries. Returns false if there are none. */
  #sign(messages: readonly ChatMessage[], line: number): boolean {
    const parts = this.#signatures.news(messages);
    this.#extend(() => {
      for (const signed of parts) this.#entries.note(signed, line, "thoughtSignature");
    });
    return parts.length > 0;
  }

  /** From here on, shows changed results to the model; messages with changed text become notes. */
  #mask(followed: readonly ChatMessage[], reworded: readonly ChatMessage[], line: number): boolean {
    const wanted = new Map<AnsweredCall, ResultContent>();
    for (const { results } of followed) {
      for (const { id, content } of results) {
        const call = id === undefined ? undefined : this.#entries.calls.answered(id);
        if (call === undefined) continue;
        // A result can be stored twice, with its call and as a message. It is hidden if either of them is.
        if (!wanted.has(call) || contentGist(content) !== call.result.gist) wanted.set(call, content);
      }
    }
    const masked = this.#show(wanted, line);
    this.#extend(() => {
      for (const { raw, type } of reworded) this.#entries.note(raw, line, type);
    });
    return masked || reworded.length > 0;
  }

  /** Output hidden further down stays hidden after a rewind, since Gemini CLI keeps its messages as changed. */
  #hideAgain(line: number): void {
    const above = this.#at.above();
    const wanted = new Map<AnsweredCall, ResultContent>();
    for (const call of this.#hidden) {
      const { node, now } = call.result;
      if (now !== undefined && above.has(node)) wanted.set(call, now);
    }
    this.#show(wanted, line);
  }

  /** Replaces results for the model if it currently sees something else. Returns false if nothing changed. */
  #show(wanted: ReadonlyMap<AnsweredCall, ResultContent>, line: number): boolean {
    const shown = this.#at.shown();
    let changed = false;
    for (const [call, content] of wanted) {
      const { result } = call;
      const gist = contentGist(content);
      if (this.#hidden.has(call)) result.now = content;
      if (gist === (shown.get(result.entryId) ?? result.gist)) continue;
      changed = true;
      result.now = content;
      this.#hidden.add(call);
      this.#extend(() => this.#entries.showInstead(call, content, line));
      this.#at.instead = { entryId: result.entryId, gist, before: this.#at.instead };
    }
    return changed;
  }

  /** Adds nodes for messages that a compressed history repeats: later lists refer to them by their new IDs. */
  #mirror(messages: readonly ChatMessage[], start: MessageNode): MessageNode {
    const old = this.#at.path();
    let node = start;
    for (const message of messages) {
      if (hasOnlyResults(message)) continue;
      const gist = gistOf(message);
      const original = old.findLast((candidate) => candidate.gist === gist);
      if (message.id !== undefined) this.#seen.add(message.id);
      node = new MessageNode(node, { id: message.id, gist });
      node.first = original?.first ?? this.#chain.leaf;
      node.last = this.#chain.leaf;
      node.talk = this.#entries.lastTalk;
      node.instead = this.#at.instead;
      node.below = this.#at;
    }
    return node;
  }

  #go(node: MessageNode): void {
    this.#at = node;
    this.#chain.leaf = node.last;
  }

  #grow(message: ChatMessage, emit: () => void): void {
    if (message.id !== undefined) this.#seen.add(message.id);
    this.#at = new MessageNode(this.#at, { id: message.id, gist: gistOf(message) });
    this.#entries.firstMade = undefined;
    this.#extend(emit);
    this.#at.first = this.#entries.firstMade ?? this.#at.first;
  }

  /** Attributes the entries that `emit` creates to the current message. */
  #extend<Made>(emit: () => Made): Made {
    const talked = this.#entries.lastTalk;
    const made = emit();
    this.#at.last = this.#chain.leaf;
    if (this.#entries.lastTalk !== talked) this.#at.talk = this.#entries.lastTalk;
    return made;
  }

  #note(record: unknown, line: number, type: string): void {
    this.#entries.note(record, line, type);
    this.#count(line, type, { fate: "note" });
  }

  #count(line: number, type: string, { fate, reason }: Verdict): void {
    const { file, report } = this.#options;
    report.count(fate, {
      file,
      line,
      type: type === "" ? "(no type)" : type,
      reason,
    });
  }
}
