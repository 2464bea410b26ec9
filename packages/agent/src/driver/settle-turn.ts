/**
 * Turns what was seen of a turn, and what the agent's transcript has of it, into entries of the session.
 *
 * The transcript is the truth about what the model said and was shown. What it lacks comes from the protocol: calls
 * that were refused, and text of an answer that was cut off. Finished steps are added while the turn goes on, the rest
 * at its end. Settling twice adds nothing: every entry names the record it came from.
 */
import {
  type AssistantBlock,
  type AssistantMessage,
  callsIn,
  contentText,
  type EntryId,
  FILES_TYPE,
  Kind,
  kindOf,
  type MessageEntry,
  type SessionEntry,
  type ToolResultMessage,
} from "@bough/session/entry/index.js";
import { filesRecord } from "@bough/session/entry/internal.js";
import type { NewEntryFields, SessionManager } from "@bough/session/session/index.js";
import { upwards } from "@bough/session/session/internal.js";
import { isRecord } from "@bough/session/text/index.js";
import type { FilesScan } from "@bough/workbench/checkpoint/index.js";
import type { Grown } from "@bough/workbench/interop/internal.js";
import type { SeenCall, SeenPart, TurnHead, TurnRecord } from "./turn-record.js";
import { squeezed, UnsaidText } from "./unsaid-text.js";

export interface SettleParts {
  readonly session: SessionManager;
  /** Records what calls changed below the leaf, or below another entry: then the leaf stays. */
  readonly recordScans: (scans: readonly FilesScan[], options: { readonly below?: EntryId }) => Promise<void>;
  /** Called for every entry that was added. */
  readonly onEntry?: (id: EntryId) => void;
  /** A long output that was kept by its hash; undefined if it is not there any more. */
  readonly storedText?: (hash: string) => Promise<string | undefined>;
  /** `follows`: the leaf goes along until the user moves it. Default: it moves. */
  readonly leaf?: "moves" | "follows" | "stays";
}

/** The field of entries whose agent has no record of them: its model never saw them. */
export const FROM_PROTOCOL = "protocolOnly";

/** The field of an entry that names its record in the agent's own session. */
export interface NativeFields {
  readonly native?: string;
}

/** Adds a whole turn below the entry that it continued. Unless the leaf stays, it is at the end of the turn then. */
export async function settleTurn(parts: SettleParts, record: TurnRecord, grown: Grown | undefined): Promise<void> {
  await new TurnSettling(parts, record).finish(grown);
}

/**
 * The results that a transcript ends with, if everything in it is finished: all calls of the last answer have results,
 * and no other answer has begun. Undefined otherwise.
 */
export function finishedStep({ entries, leaf }: Grown): readonly string[] | undefined {
  const byId = new Map<string | null, SessionEntry>(entries.map((entry) => [entry.id, entry]));
  const results: string[] = [];
  for (let at = byId.get(leaf); at !== undefined; at = byId.get(at.parentId)) {
    if (at.type !== "message") continue;
    const { message } = at;
    if (message.role === "toolResult") {
      results.push(message.toolCallId);
      continue;
    }
    if (message.role !== "assistant" || message.stopReason === "aborted" || results.length === 0) return undefined;
    return callsIn(at).every(({ id }) => results.includes(id)) ? results : undefined;
  }
  return undefined;
}

/** What follows the prompt in the transcript: an agent may note answers of its own before it, after an earlier kill. */
export function replyIn({ prompt = "" }: TurnHead, entries: readonly SessionEntry[]): readonly SessionEntry[] {
  const wanted = squeezed(prompt);
  const at = wanted === "" ? -1 : entries.findIndex((entry) => squeezed(promptIn(entry)).includes(wanted));
  return entries.slice(at + 1);
}

export class TurnSettling {
  readonly #parts: SettleParts;
  readonly #record: TurnRecord;
  /** The entry of each record of the agent's session. */
  readonly #ids = new Map<string, EntryId>();
  /** What was appended right below an entry, such as a record of files. */
  readonly #tails = new Map<EntryId | null, EntryId>();
  readonly #placed = new Set<TurnRecord["scans"][number]>();
  readonly #ended = new Set<string>();
  #start: EntryId | null;
  /** Where the next entry goes that names no parent: the end of the turn so far. */
  #end: EntryId | null;
  /** Where the leaf was put last. */
  #leaf: EntryId | null;

  constructor(parts: SettleParts, record: TurnRecord) {
    this.#parts = parts;
    this.#record = record;
    const { session } = parts;
    const { leaf } = record.head;
    // Nothing of a session that was damaged in between is lost: the turn then continues where the session is.
    this.#start =
      leaf === null || session.getEntry(leaf as EntryId) !== undefined ? (leaf as EntryId | null) : session.getLeafId();
    this.#end = this.#start;
    this.#leaf = session.getLeafId();
    this.#findSettled(this.#start);
  }

  /** Adds what the transcript has. Call it only with finished steps: entries are never changed later. */
  async addSteps(grown: Grown): Promise<void> {
    for (const entry of this.#news(grown)) await this.#addNative(entry);
    const id = grown.leaf === null ? undefined : this.#ids.get(grown.leaf);
    if (id !== undefined) this.#goTo(id);
  }

  /** Adds the rest. */
  async finish(grown: Grown | undefined): Promise<void> {
    const entries = grown === undefined ? [] : this.#news(grown);
    const { prompt } = this.#record.head;
    if (prompt !== undefined && !entries.some(isPrompt)) this.#addPrompt(prompt);
    if (grown !== undefined) await this.addSteps(grown);
    for (const [number, message] of missingMessages(this.#record, entries).entries()) {
      await this.#addSeen(message, number);
    }
    const rest = this.#record.scans.filter((one) => !this.#placed.has(one));
    // Changes of calls that have no result anywhere.
    if (rest.length > 0) await this.#recordScans(rest, this.#end);
    // The leaf may be at an earlier part of the turn, if all of it was settled before.
    this.#goTo(this.#end);
  }

  /** The end of what was added, or where the turn began. */
  get end(): EntryId | null {
    return this.#end;
  }

  /** What earlier settling added: a process may have been killed in the middle of it. */
  #findSettled(from: EntryId | null): void {
    const { session } = this.#parts;
    const prefix = `${this.#record.head.nativeId}/`;
    const waiting: { readonly at: EntryId | null; readonly owner: EntryId | null }[] = [{ at: from, owner: from }];
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      for (const entry of session.getChildren(next.at)) {
        const { native } = entry as NativeFields;
        const isOwn = native?.startsWith(prefix) === true;
        // Below a branch of the user's own there is nothing of this turn.
        if (!isOwn && kindOf(entry) < Kind.custom) continue;
        if (isOwn) this.#ids.set(native.slice(prefix.length), entry.id);
        else if (isFiles(entry)) this.#tails.set(next.owner, entry.id);
        waiting.push({ at: entry.id, owner: isOwn ? entry.id : next.owner });
      }
    }
  }

  /** If the agent has changed what was read before, its transcript is known only by the records that are here. */
  #news({ entries, isRewritten }: Grown): readonly SessionEntry[] {
    if (!isRewritten) return entries;
    const { session } = this.#parts;
    const prefix = `${this.#record.head.nativeId}/`;
    let first: EntryId | undefined;
    for (const entry of upwards(session, this.#start)) {
      if ((entry as NativeFields).native?.startsWith(prefix) === true) first = entry.id;
    }
    const before = new Map(this.#ids);
    if (first !== undefined) {
      const { native = "" } = session.getEntry(first) as NativeFields;
      this.#ids.set(native.slice(prefix.length), first);
      this.#findSettled(first);
    }
    const prompt = squeezed(this.#record.head.prompt ?? "");
    const from = prompt === "" ? -1 : entries.findLastIndex((entry) => squeezed(promptIn(entry)).includes(prompt));
    return entries.filter((entry, at) => at >= from && (before.has(entry.id) || !this.#ids.has(entry.id)));
  }

  #addPrompt(content: string): void {
    const { timestamp } = this.#record.head;
    const key = `${timestamp}-prompt`;
    const message = { role: "user", content, timestamp };
    this.#start = this.#ids.get(key) ?? this.#append({ type: "message", message }, { native: key, below: this.#end });
    this.#end = this.#start;
  }

  async #addNative(entry: SessionEntry): Promise<void> {
    const known = this.#ids.get(entry.id);
    if (known === undefined) {
      const fields = this.#linked(entry);
      if (fields === undefined) return;
      const above = entry.parentId === null ? undefined : this.#ids.get(entry.parentId);
      const parent = above ?? this.#start;
      const id = this.#append(fields, { native: entry.id, below: parent });
      if (parent === this.#start && above === undefined) this.#tails.set(this.#start, id);
      this.#ids.set(entry.id, id);
    }
    await this.#addScans(entry, this.#ids.get(entry.id) as EntryId);
  }

  /** Continues where the agent does. */
  #goTo(id: EntryId | null): void {
    this.#end = id;
    if (this.#leafStays) return;
    this.#parts.session.branch(this.#below(id));
    this.#leaf = this.#parts.session.getLeafId();
  }

  get #leafStays(): boolean {
    const { leaf = "moves", session } = this.#parts;
    return leaf === "stays" || (leaf === "follows" && session.getLeafId() !== this.#leaf);
  }

  /** A message that only the protocol had; `number` is its place in the turn. */
  async #addSeen(message: NewEntryFields, number: number): Promise<void> {
    const key = `${this.#record.head.timestamp}-${number}`;
    const known = this.#ids.get(key);
    const whole = known === undefined ? await this.#whole(message) : message;
    const id = known ?? this.#append({ ...whole, [FROM_PROTOCOL]: true }, { native: key, below: this.#end });
    this.#end = id;
    await this.#addScans(this.#parts.session.getEntry(id) as SessionEntry, id);
  }

  /** With the whole output of a call, if the journal has only its beginning. */
  async #whole(fields: NewEntryFields): Promise<NewEntryFields> {
    const { message } = fields as unknown as { readonly message: ToolResultMessage };
    const hash = message.role === "toolResult" ? this.#record.calls.get(message.toolCallId)?.stored : undefined;
    const text = hash === undefined ? undefined : await this.#parts.storedText?.(hash);
    return text === undefined ? fields : { ...fields, message: { ...message, content: [{ type: "text", text }] } };
  }

  async #addScans(entry: SessionEntry, id: EntryId): Promise<void> {
    if (entry.type !== "message" || entry.message.role !== "toolResult") return;
    this.#ended.add(entry.message.toolCallId);
    for (const kept of this.#record.scans) {
      if (this.#placed.has(kept) || kept.callIds.length === 0) continue;
      if (!kept.callIds.every((one) => this.#ended.has(one))) continue;
      await this.#recordScans([kept], id);
    }
  }

  async #recordScans(kept: TurnRecord["scans"], id: EntryId | null): Promise<void> {
    const { session, recordScans } = this.#parts;
    for (const one of kept) this.#placed.add(one);
    const below = this.#below(id);
    const stays = this.#leafStays;
    if (!stays) session.branch(below);
    const before = session.getLeafId();
    await recordScans(
      kept.map(({ scan }) => scan),
      stays && below !== null ? { below } : {},
    );
    const added = below === null ? undefined : session.getChildren(below).findLast(isFiles);
    if (added !== undefined) this.#tails.set(id, added.id);
    // Unless the user moved in the meantime.
    const leaf = session.getLeafId();
    if (!stays && (leaf === before || leaf === added?.id)) this.#leaf = leaf;
  }

  #append(
    entry: NewEntryFields,
    { native, below }: { readonly native: string; readonly below: EntryId | null },
  ): EntryId {
    const { session, onEntry } = this.#parts;
    const leaf = session.getLeafId();
    const stays = this.#leafStays;
    session.branch(this.#below(below));
    const id = session.saveEntry({ ...entry, native: `${this.#record.head.nativeId}/${native}` });
    if (stays) session.branch(leaf);
    else this.#leaf = id;
    onEntry?.(id);
    return id;
  }

  /** Below what is recorded of an entry: its files, and what extensions added at the leaf in the meantime. */
  #below(id: EntryId | null): EntryId | null {
    const { session } = this.#parts;
    const tail = this.#tails.get(id) ?? id;
    if (this.#leafStays) return tail;
    const leaf = session.getLeafId();
    for (const entry of upwards(session, leaf)) {
      if (entry.id === tail) return leaf;
      if (kindOf(entry) < Kind.custom) break;
    }
    return tail;
  }

  /** With the IDs of this session. Undefined if it is about something that is not here. */
  #linked(entry: SessionEntry): NewEntryFields | undefined {
    switch (entry.type) {
      case "compaction": {
        const { firstKeptEntryId, ...rest } = entry;
        const kept = firstKeptEntryId === undefined ? undefined : this.#idOf(firstKeptEntryId);
        return { ...rest, ...(kept === undefined ? {} : { firstKeptEntryId: kept }) };
      }
      // The session's name is the user's.
      case "session_info":
        return undefined;
      case "label":
      case "context_edit": {
        const targetId = this.#idOf(entry.targetId);
        return targetId === undefined ? undefined : { ...entry, targetId };
      }
      case "message":
        return this.#isGiven(entry) ? this.#withoutGiven(entry) : { ...entry };
      default:
        return { ...entry };
    }
  }

  /** The prompt of the user, after an earlier conversation as text. */
  #isGiven(entry: SessionEntry): boolean {
    const { given, prompt = "" } = this.#record.head;
    return given === true && squeezed(promptIn(entry)).endsWith(squeezed(prompt));
  }

  /** What the user typed. The agent's own record has more. */
  #withoutGiven({ message, timestamp, type }: MessageEntry): NewEntryFields {
    return { type, timestamp, message: { ...message, content: this.#record.head.prompt ?? "" } };
  }

  /** Also of an entry that an earlier turn of the same session added. */
  #idOf(native: string): EntryId | undefined {
    const known = this.#ids.get(native);
    if (known !== undefined) return known;
    const name = `${this.#record.head.nativeId}/${native}`;
    for (const entry of upwards(this.#parts.session, this.#start)) {
      if ((entry as NativeFields).native === name) return entry.id;
    }
    return undefined;
  }
}

function isPrompt(entry: SessionEntry): boolean {
  return entry.type === "message" && entry.message.role === "user";
}

function promptIn(entry: SessionEntry): string {
  return entry.type === "message" && entry.message.role === "user" ? contentText(entry.message.content) : "";
}

/** What the calls above it changed: it comes between them and what follows. */
function isFiles(entry: SessionEntry): boolean {
  return entry.type === "custom" && entry.customType === FILES_TYPE && filesRecord(entry.data)?.by === "tool";
}

/** What was shown and is not in the transcript, as messages. */
function missingMessages(record: TurnRecord, entries: readonly SessionEntry[]): NewEntryFields[] {
  const calls = new Set<string>();
  const said: string[] = [];
  for (const entry of replyIn(record.head, entries)) {
    if (entry.type !== "message" || entry.message.role !== "assistant") continue;
    for (const block of entry.message.content) {
      if (block.type === "toolCall") calls.add(block.id);
      if (block.type === "text" && block.text.trim() !== "") said.push(block.text);
    }
  }
  // What a whole turn has in other words, such as a notice of the program, was never the model's.
  const isWhole = record.end === "done" && (said.length > 0 || calls.size > 0);
  const unsaid = new UnsaidText(said);
  const parts = record.parts.flatMap((part): SeenPart[] => {
    if (part.kind === "call") {
      const isMissing = !calls.has(part.id) && (!isWhole || record.calls.get(part.id)?.refused !== undefined);
      return isMissing ? [part] : [];
    }
    if (isWhole) return [];
    // Thinking alone is kept only where nothing else is.
    if (part.kind === "thinking") return said.length === 0 ? [part] : [];
    const text = unsaid.of(part.text);
    return text === "" ? [] : [{ ...part, text }];
  });
  return messagesOf(record, parts);
}

const NO_USAGE = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };

/** An answer for every run of text and calls, each followed by the results of its calls. */
function messagesOf(record: TurnRecord, parts: readonly SeenPart[]): NewEntryFields[] {
  const { driver, model, timestamp } = record.head;
  const messages: NewEntryFields[] = [];
  let blocks: AssistantBlock[] = [];
  let calls: SeenCall[] = [];
  const flush = (stopReason: AssistantMessage["stopReason"]): void => {
    if (blocks.length === 0) return;
    const made = { api: "acp", provider: driver, model, usage: NO_USAGE, timestamp };
    messages.push({ type: "message", message: { role: "assistant", content: blocks, ...made, stopReason } });
    for (const call of calls) messages.push(resultOf(call, timestamp));
    blocks = [];
    calls = [];
  };
  for (const part of parts) {
    if (part.kind === "call") {
      const call = record.calls.get(part.id) as SeenCall;
      calls.push(call);
      blocks.push({ type: "toolCall", id: call.id, name: nameOf(call), arguments: argumentsOf(call) });
      continue;
    }
    if (calls.length > 0) flush("toolUse");
    blocks.push(part.kind === "text" ? { type: "text", text: part.text } : { type: "thinking", thinking: part.text });
  }
  flush(calls.length > 0 ? "toolUse" : record.end === "done" ? "stop" : "aborted");
  return messages;
}

function resultOf(call: SeenCall, timestamp: number): NewEntryFields {
  const isError = call.refused !== undefined || call.status !== "done";
  const text = call.refused ?? call.output ?? (call.status === "done" ? "" : "The call was interrupted.");
  const content = [{ type: "text", text }] as const;
  const message = { role: "toolResult", toolCallId: call.id, toolName: nameOf(call), content, isError, timestamp };
  return { type: "message", message };
}

export function nameOf({ name, action }: SeenCall): string {
  return name ?? (action === "run" ? "bash" : action === undefined || action === "other" ? "tool" : action);
}

function argumentsOf({ input, title, paths }: SeenCall): Readonly<Record<string, unknown>> {
  if (isRecord(input) && Object.keys(input).length > 0) return input;
  const path = paths?.[0];
  return { ...(title === undefined ? {} : { title }), ...(path === undefined ? {} : { path }) };
}
