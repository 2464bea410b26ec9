/** Converts the messages and parts of one opencode session to entries. */
import type { EntryId, SessionEntry } from "@bough/session/entry/index.js";
import { isRecord } from "@bough/session/text/index.js";
import { millisecondsOf } from "../conversion/entry-chain.js";
import { isLaterGeneration } from "../conversion/program-version.js";
import { foreignId, noteEntry } from "../foreign-entry.js";
import { stringIn } from "../foreign-lines.js";
import { type ClearedOutput, ClearedOutputs } from "./cleared-outputs.js";
import { apiOf, contentOf, endingOf, isComplete, isSaid, modelOf } from "./message-info.js";
import { answerBlock, childSessionOf, resultOf, usageOf } from "./part-blocks.js";
import { originOf, type Part, SessionEntries, type SessionEntriesOptions } from "./session-entries.js";
import { type JsonObject, type StoredMessage, type StoredRecord, timeOf } from "./session-store.js";
import { commandIn, isShellNotice, shellMessage } from "./user-shell.js";

/** The `customType` of texts that opencode adds to a user message. */
export const SYNTHETIC_TYPE = "opencode.synthetic";

/** The major version of opencode that this reader supports. */
const GENERATION = 1;

interface SessionConversionOptions extends SessionEntriesOptions {
  /** A sub-agent's title must not become the name of its session. */
  readonly role: "session" | "sub-agent";
}

/** A user message whose meaning depends on the answer after it. */
interface WaitingMessage {
  readonly message: StoredMessage;
  readonly info: JsonObject;
  readonly parts: readonly Part[];
  readonly for: "summary" | "command";
}

/** The position from which everything was undone. */
interface Undone {
  readonly before: EntryId | null;
  /** Outputs above it that were cleared after it was written. */
  readonly clearedLater: readonly ClearedOutput[];
  /** The remaining part of an answer of which only the end was undone. */
  readonly left?: Omit<WaitingMessage, "for">;
}

export class SessionConversion {
  readonly entries: SessionEntries;
  /** For each sub-agent's session, the call that it works for. */
  readonly starters = new Map<string, { readonly callId: string; readonly entryId: EntryId }>();
  readonly #role: "session" | "sub-agent";
  /** The first entry of each message. */
  readonly #firsts = new Map<string, EntryId | undefined>();
  #undoneFrom: string | undefined;
  /** The first undone part of that message, if only some were undone. */
  #undonePart: string | undefined;
  #undone: Undone | undefined;
  readonly #cleared: ClearedOutputs;
  #waiting: WaitingMessage | undefined;

  constructor(options: SessionConversionOptions) {
    this.#role = options.role;
    this.entries = new SessionEntries(options);
    this.#cleared = new ClearedOutputs(this.entries);
  }

  /** Adds a note with the session's data, without values that change with every message, so that it stays the same. */
  session(record: StoredRecord): void {
    const { entries } = this;
    if (record.value === undefined) {
      entries.count("reported", record, "session", "unreadable");
      return;
    }
    const { id, slug, projectID, directory, parentID, version, title, revert } = record.value;
    this.#undoneFrom = isRecord(revert) ? stringIn(revert.messageID) : undefined;
    this.#undonePart = isRecord(revert) ? stringIn(revert.partID) : undefined;
    const created = timeOf(record.value, "created");
    if (created !== undefined) entries.chain.time = new Date(created).toISOString();
    const kept = JSON.parse(
      JSON.stringify({ id, slug, projectID, directory, parentID, version, time: { created } }),
    ) as unknown;
    const place = entries.take("session");
    entries.push(noteEntry(place, { agent: "opencode", type: "session", line: record.line, record: kept }));
    if (this.#role === "session" && typeof title === "string" && title !== "") {
      // A sibling of the conversation, so that a new title does not change the parent of what follows.
      const named = { id: entries.id("title", title), parentId: place.id, timestamp: place.timestamp };
      entries.push({ type: "session_info", ...named, name: title });
    }
    if (isLaterGeneration(version, GENERATION)) entries.nameUnknown(`version ${version}`);
    entries.count("note", record, "session");
  }

  message(message: StoredMessage): void {
    const { value } = message;
    const { entries } = this;
    const created = timeOf(value, "created");
    if (created !== undefined && this.#waiting === undefined) this.#cleared.add(created);
    const before = entries.chain.leaf;
    if (message.id === this.#undoneFrom) {
      this.#undone = { before, clearedLater: [...this.#cleared.waiting], ...this.#leftOf(message) };
    }
    entries.firstMade = undefined;
    if (created !== undefined) entries.chain.time = new Date(created).toISOString();
    for (const part of message.parts)
      if (part.value === undefined) entries.count("reported", part, "part", "unreadable");
    const parts = message.parts.filter((part): part is Part => part.value !== undefined);
    if (value === undefined) {
      entries.count("reported", message, "message", "unreadable");
      for (const part of parts) this.#stray(part);
    } else if (value.role === "assistant") this.#answer(message, value, parts);
    else if (value.role === "user") this.#user(message, value, parts);
    else {
      entries.nameUnknown(`message role ${String(value.role)}`);
      entries.note(message, { type: "message", key: message.id });
      entries.count("note", message, "message");
      for (const part of parts) this.#stray(part);
    }
    this.#firsts.set(message.id, entries.firstMade);
  }

  /**
   * Moves to the leaf after an undo, if everything from some message on was undone. Also clears outputs there that were
   * cleared later. Returns false if nothing was undone.
   */
  undo(): boolean {
    if (this.#undone === undefined) return false;
    this.entries.chain.leaf = this.#undone.before;
    this.#cleared.edit(this.#undone.clearedLater);
    const { left } = this.#undone;
    if (left !== undefined) this.#pushAnswer(left, "until", this.#undonePart ?? "");
    return true;
  }

  /** The part of an answer before the undone end; empty if nothing with content is left. */
  #leftOf(message: StoredMessage): Pick<Undone, "left"> {
    const { value: info } = message;
    const end = message.parts.findIndex(({ id }) => id === this.#undonePart);
    if (end < 0 || info?.role !== "assistant") return {};
    const parts = message.parts.slice(0, end).filter((part): part is Part => part.value !== undefined);
    return parts.some(({ value }) => answerBlock(value) !== undefined) ? { left: { message, info, parts } } : {};
  }

  /** Call after the last message. */
  finish(): void {
    this.#releaseWaiting();
    this.#cleared.add();
  }

  #user(message: StoredMessage, info: JsonObject, parts: readonly Part[]): void {
    this.#releaseWaiting();
    const [only] = parts;
    if (parts.length === 1 && only?.value.type === "compaction") {
      this.#waiting = { message, info, parts, for: "summary" };
    } else if (isShellNotice(parts)) this.#waiting = { message, info, parts, for: "command" };
    else this.#addUser(message, info, parts);
  }

  #addUser(message: StoredMessage, info: JsonObject, parts: readonly Part[]): void {
    const { entries } = this;
    const said = parts.filter(({ value }) => isSaid(value) && value.synthetic !== true);
    const added = parts.filter(({ value }) => isSaid(value) && value.synthetic === true);
    const rest = parts.filter((part) => !said.includes(part) && !added.includes(part));
    const origin = originOf(info, rest, ["role", "time", "sessionID"]);
    if (said.length > 0) {
      const place = entries.take(message.id);
      const user = { role: "user", content: contentOf(said), timestamp: millisecondsOf(place.timestamp) };
      entries.push({ type: "message", ...place, message: user, origin } as SessionEntry);
    }
    if (added.length > 0) {
      const place = entries.take(message.id, "synthetic");
      const details = said.length > 0 ? {} : { details: { origin } };
      const custom = { customType: SYNTHETIC_TYPE, content: contentOf(added), display: false, ...details };
      entries.push({ type: "custom_message", ...place, ...custom });
    }
    if (said.length + added.length === 0) {
      const value = { ...info, parts: rest.map((part) => part.value) };
      entries.note(message, { type: "message/user", key: message.id, value });
    }
    entries.count(said.length > 0 ? "kept" : added.length > 0 ? "converted" : "note", message, "message/user");
    entries.countParts(parts);
  }

  #answer(message: StoredMessage, info: JsonObject, parts: readonly Part[]): void {
    const waiting = this.#waiting;
    if (waiting?.for === "summary" && info.summary === true && isComplete(info) && !isRecord(info.error)) {
      this.#waiting = undefined;
      this.#compaction(waiting, { message, info, parts });
      return;
    }
    const command = waiting?.for === "command" ? commandIn(waiting.message, info, parts) : undefined;
    if (waiting !== undefined && command !== undefined) {
      this.#waiting = undefined;
      this.#command(waiting, { message, info, parts }, command);
      return;
    }
    this.#releaseWaiting();
    const { entries } = this;
    entries.modelChange(modelOf(info), message.id);
    this.#pushAnswer({ message, info, parts });
    const hasCalls = parts.some(({ value }) => value.type === "tool");
    entries.count(hasCalls ? "converted" : "kept", message, "message/assistant");
    entries.countParts(parts);
  }

  #pushAnswer({ message, info, parts }: Omit<WaitingMessage, "for">, ...more: readonly string[]): void {
    const { entries } = this;
    const { provider, model } = modelOf(info);
    const content = parts.flatMap(({ value }) => answerBlock(value) ?? []);
    const rest = parts.filter(({ value }) => answerBlock(value) === undefined);
    const place = entries.take(message.id, ...unfinished(info, content), ...more);
    const origin = originOf(info, rest, ["role", "time", "sessionID", "tokens", "cost", "modelID", "providerID"]);
    entries.push({
      type: "message",
      ...place,
      message: {
        role: "assistant",
        content,
        ...{ api: apiOf(provider), provider, model, usage: usageOf(info) },
        ...endingOf(info, content),
        timestamp: millisecondsOf(place.timestamp),
      },
      origin,
    } as SessionEntry);
    for (const part of parts) if (part.value.type === "tool") this.#result(part, place.id);
  }

  #result(part: Part, answer: EntryId): void {
    const call = answerBlock(part.value);
    if (call?.type !== "toolCall") return;
    const { final, content, isError, details } = resultOf(part.value);
    const child = childSessionOf(part.value);
    if (child !== undefined) this.starters.set(child, { callId: call.id, entryId: answer });
    const subagent = child === undefined ? {} : { subagent: foreignId(child, "subagent") };
    const place = this.entries.chain.take(foreignId(answer, part.id, final ? "result" : "unfinished"));
    this.#cleared.note(part.id, part.value, place.id);
    this.entries.push({
      type: "message",
      ...place,
      message: {
        role: "toolResult",
        toolCallId: call.id,
        toolName: call.name,
        content,
        details: { ...(details as JsonObject), ...subagent },
        isError,
        timestamp: millisecondsOf(place.timestamp),
      },
    });
  }

  /** Combines two messages in one compaction: the request, and the answer with the summary. */
  #compaction(asked: WaitingMessage, { message, info, parts }: Omit<WaitingMessage, "for">): void {
    const { entries } = this;
    const texts = parts.flatMap(({ value }) =>
      value.type === "text" && typeof value.text === "string" ? [value.text] : [],
    );
    const place = entries.take(message.id);
    const tail = stringIn(asked.parts[0]?.value.tail_start_id);
    const kept = tail === undefined ? undefined : this.#firsts.get(tail);
    const rest = parts.filter(({ value }) => value.type !== "text");
    entries.push({
      type: "compaction",
      ...place,
      summary: texts.join("\n"),
      firstKeptEntryId: kept ?? place.id,
      tokensBefore: 0,
      usage: usageOf(info),
      details: { origin: originOf(info, rest, ["role", "time", "sessionID", "tokens", "cost"]) },
    });
    entries.count("converted", asked.message, "message/user", "asks for a summary");
    entries.countParts(asked.parts);
    entries.count("converted", message, "message/assistant", "a summary");
    entries.countParts(parts);
  }

  /** Combines two messages in one command: the notice that the user ran it, and its output. */
  #command(notice: WaitingMessage, { message, info, parts }: Omit<WaitingMessage, "for">, command: Part): void {
    const { entries } = this;
    const shell = shellMessage(command, millisecondsOf(entries.chain.time));
    const place = entries.take(message.id, ...unfinished(info, shell));
    const origin = { ...originOf(info, parts, ["role", "time", "sessionID"]), notice: notice.message.id };
    entries.push({ type: "message", ...place, message: shell, origin } as SessionEntry);
    const reason = "a command the user ran";
    entries.count("converted", notice.message, "message/user", reason);
    entries.countParts(notice.parts);
    entries.count("converted", message, "message/assistant", reason);
    entries.countParts(parts);
  }

  /** Adds the waiting message by itself, since the expected answer did not come. */
  #releaseWaiting(): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting === undefined) return;
    const { message, info, parts } = waiting;
    if (waiting.for === "command") {
      this.#addUser(message, info, parts);
      return;
    }
    const value = { ...info, parts: parts.map((part) => part.value) };
    this.entries.note(message, { type: "message/user", key: message.id, value });
    this.entries.count("note", message, "message/user", "asks for a summary that never came");
    this.entries.countParts(parts);
  }

  /** Keeps a part whose message is unreadable or unknown. */
  #stray(part: Part): void {
    const type = `part/${String(part.value.type)}`;
    this.entries.note(part, { type, key: part.id });
    this.entries.count("note", part, type, "its message is unreadable");
  }
}

/** Parts of the ID for an incomplete message, which gets another ID when complete: imported entries never change. */
function unfinished(info: JsonObject, said: unknown): string[] {
  return isComplete(info) ? [] : ["unfinished", foreignId(JSON.stringify(said))];
}
