/**
 * Turns what was seen of a turn, and what the agent's transcript has of it, into entries of the session.
 *
 * The transcript is the truth about what the model said and was shown. What it lacks comes from the protocol: calls
 * that were refused, and text of an answer that was cut off. Settling twice adds nothing: every entry names the record
 * it came from.
 */
import type { AssistantBlock, AssistantMessage, EntryId, SessionEntry } from "@bough/session/entry/index.js";
import type { NewEntryFields, SessionManager } from "@bough/session/session/index.js";
import { upwards } from "@bough/session/session/internal.js";
import { isRecord } from "@bough/session/text/index.js";
import type { FilesScan } from "@bough/workbench/checkpoint/index.js";
import type { Grown } from "@bough/workbench/interop/internal.js";
import type { SeenCall, SeenPart, TurnRecord } from "./turn-record.js";

export interface SettleParts {
  readonly session: SessionManager;
  /** Records what calls changed below the leaf. */
  readonly recordScans: (scans: readonly FilesScan[]) => Promise<void>;
  /** Called for every entry that was added. */
  readonly onEntry?: (id: EntryId) => void;
}

/** The field of entries whose agent has no record of them: its model never saw them. */
export const FROM_PROTOCOL = "protocolOnly";

/** The field of an entry that names its record in the agent's own session. */
export interface NativeFields {
  readonly native?: string;
}

/** Appends below the entry that the turn continued, and leaves the leaf at the end of the turn. */
export async function settleTurn(parts: SettleParts, record: TurnRecord, grown: Grown | undefined): Promise<void> {
  const settling = new Settling(parts, record);
  const entries = grown?.entries ?? [];
  if (!entries.some(isPrompt)) settling.addPrompt();
  for (const entry of entries) await settling.addNative(entry);
  settling.goTo(grown?.leaf);
  for (const [number, message] of missingMessages(record, entries).entries()) await settling.addSeen(message, number);
  await settling.finish();
}

class Settling {
  readonly #parts: SettleParts;
  readonly #record: TurnRecord;
  /** The entry of each record of the agent's session. */
  readonly #ids = new Map<string, EntryId>();
  /** What was appended right below an entry, such as a record of files. */
  readonly #tails = new Map<EntryId | null, EntryId>();
  readonly #scans: TurnRecord["scans"];
  readonly #ended = new Set<string>();
  #start: EntryId | null;

  constructor(parts: SettleParts, record: TurnRecord) {
    this.#parts = parts;
    this.#record = record;
    this.#scans = [...record.scans];
    const { session } = parts;
    const { leaf } = record.head;
    // Nothing of a session that was damaged in between is lost: the turn then continues where the session is.
    this.#start =
      leaf === null || session.getEntry(leaf as EntryId) !== undefined ? (leaf as EntryId | null) : session.getLeafId();
    this.#findSettled();
    session.branch(this.#start);
  }

  /** A process was killed in the middle of settling. */
  #findSettled(): void {
    const { session } = this.#parts;
    const prefix = `${this.#record.head.nativeId}/`;
    const waiting: (EntryId | null)[] = [this.#start];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      for (const entry of session.getChildren(at)) {
        const { native } = entry as NativeFields;
        // Below a branch of the user's own there is nothing of this turn.
        if (native === undefined && entry.type === "message") continue;
        if (native?.startsWith(prefix)) this.#ids.set(native.slice(prefix.length), entry.id);
        waiting.push(entry.id);
      }
    }
  }

  addPrompt(): void {
    const { prompt, timestamp } = this.#record.head;
    const key = `${timestamp}-prompt`;
    const message = { role: "user", content: prompt, timestamp };
    this.#start = this.#ids.get(key) ?? this.#append({ type: "message", message }, key);
    this.#parts.session.branch(this.#start);
  }

  async addNative(entry: SessionEntry): Promise<void> {
    const { session } = this.#parts;
    const known = this.#ids.get(entry.id);
    if (known === undefined) {
      const fields = this.#linked(entry);
      if (fields === undefined) return;
      const above = entry.parentId === null ? undefined : this.#ids.get(entry.parentId);
      const parent = above ?? this.#start;
      session.branch(this.#tails.get(parent) ?? parent);
      const id = this.#append(fields, entry.id);
      if (parent === this.#start) this.#tails.set(this.#start, id);
      this.#ids.set(entry.id, id);
    }
    await this.#addScans(entry, this.#ids.get(entry.id) as EntryId);
  }

  /** Continues where the agent does. */
  goTo(leaf: string | null | undefined): void {
    const id = leaf === null || leaf === undefined ? undefined : this.#ids.get(leaf);
    if (id !== undefined) this.#parts.session.branch(this.#tails.get(id) ?? id);
  }

  /** A message that only the protocol had; `number` is its place in the turn. */
  async addSeen(message: NewEntryFields, number: number): Promise<void> {
    const key = `${this.#record.head.timestamp}-${number}`;
    const known = this.#ids.get(key);
    if (known !== undefined) this.#parts.session.branch(known);
    const id = known ?? this.#append({ ...message, [FROM_PROTOCOL]: true }, key);
    await this.#addScans(this.#parts.session.getEntry(id) as SessionEntry, id);
  }

  /** Changes of calls that have no result anywhere. */
  async finish(): Promise<void> {
    if (this.#scans.length > 0) await this.#parts.recordScans(this.#scans.splice(0).map(({ scan }) => scan));
  }

  async #addScans(entry: SessionEntry, id: EntryId): Promise<void> {
    if (entry.type !== "message" || entry.message.role !== "toolResult") return;
    this.#ended.add(entry.message.toolCallId);
    const { session, recordScans } = this.#parts;
    for (let at = 0; at < this.#scans.length; ) {
      const kept = this.#scans[at] as TurnRecord["scans"][number];
      if (kept.callIds.length === 0 || !kept.callIds.every((one) => this.#ended.has(one))) {
        at += 1;
        continue;
      }
      this.#scans.splice(at, 1);
      session.branch(this.#tails.get(id) ?? id);
      await recordScans([kept.scan]);
      const leaf = session.getLeafId();
      if (leaf !== null && leaf !== id) this.#tails.set(id, leaf);
    }
  }

  #append(entry: NewEntryFields, native: string): EntryId {
    const id = this.#parts.session.saveEntry({ ...entry, native: `${this.#record.head.nativeId}/${native}` });
    this.#parts.onEntry?.(id);
    return id;
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
      default:
        return { ...entry };
    }
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

/** What was shown and is not in the transcript, as messages. */
function missingMessages(record: TurnRecord, entries: readonly SessionEntry[]): NewEntryFields[] {
  const calls = new Set<string>();
  const said: string[] = [];
  for (const entry of entries) {
    if (entry.type !== "message" || entry.message.role !== "assistant") continue;
    for (const block of entry.message.content) {
      if (block.type === "toolCall") calls.add(block.id);
      if (block.type === "text" && block.text.trim() !== "") said.push(squeezed(block.text));
    }
  }
  // What a whole turn has in other words, such as a notice of the program, was never the model's.
  const isWhole = record.end === "done" && (said.length > 0 || calls.size > 0);
  const parts = record.parts.flatMap((part): SeenPart[] => {
    if (part.kind === "call") {
      const isMissing = !calls.has(part.id) && (!isWhole || record.calls.get(part.id)?.refused !== undefined);
      return isMissing ? [part] : [];
    }
    if (isWhole) return [];
    // Thinking alone is kept only where nothing else is.
    if (part.kind === "thinking") return said.length === 0 ? [part] : [];
    const text = unsaid(part.text, said);
    return text === "" ? [] : [{ ...part, text }];
  });
  return messagesOf(record, parts);
}

/** Without the answers that it starts with: the protocol does not say where one ends. Takes those off the list. */
function unsaid(text: string, said: string[]): string {
  let rest = text;
  for (let next = said[0]; next !== undefined && squeezed(rest).startsWith(next); next = said[0]) {
    said.shift();
    let left = next.length;
    let at = 0;
    for (; left > 0; at++) if (!/\s/.test(rest[at] as string)) left -= 1;
    rest = rest.slice(at);
  }
  return rest.trim() === "" ? "" : rest;
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, "");
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
