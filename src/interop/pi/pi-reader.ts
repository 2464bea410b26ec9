/**
 * Reads session files of pi and its relatives. They are in Bough's own format, so a line that is in order stays the line
 * it is, byte for byte, also where its type is unknown; old versions are upgraded as everywhere.
 */
import {
  CURRENT_SESSION_VERSION,
  createUpgrade,
  type EntryId,
  Kind,
  kindOf,
  parseRecord,
  type SessionEntry,
  type SessionHeader,
  withParent,
} from "../../entry/index.js";
import type { ForeignReader, ForeignSession, ReadOptions } from "../contract.js";
import { foreignId, noteEntry } from "../foreign-entry.js";
import { type ForeignLine, foreignLines, isObject, stringIn } from "../foreign-lines.js";
import { TORN_LINE } from "../loss-report.js";
import { withRawLine } from "../raw-line.js";
import { describePi, detectPi, findPi } from "./pi-places.js";

export const piReader: ForeignReader = {
  agent: "pi",
  detect: async (path) => detectPi(path),
  describe: async (path) => [describePi(path)],
  find: findPi,
  read: readPi,
};

async function* readPi(source: ForeignSession, options: ReadOptions): AsyncGenerator<SessionEntry> {
  const reading = new PiReading(source, options);
  const upgrade = createUpgrade();
  for (const line of foreignLines(source.path)) {
    options.signal?.throwIfAborted();
    const text = line.text.replace(/^\uFEFF/, "").replace(/\r$/, "");
    yield* reading.take({ ...line, text: upgrade.upgradeLine(text) });
  }
}

class PiReading {
  readonly #source: ForeignSession;
  readonly #options: ReadOptions;
  readonly #seen = new Set<EntryId>();
  /** Relatives of pi name a call, or the session, as a parent. */
  readonly #calls = new Map<string, EntryId>();
  #header: SessionHeader | undefined;
  #time: string;
  #previous: EntryId | null = null;

  constructor(source: ForeignSession, options: ReadOptions) {
    this.#source = source;
    this.#options = options;
    this.#time = source.created.toISOString();
  }

  *take(line: ForeignLine): Generator<SessionEntry> {
    const record = parseRecord(line.text);
    switch (record.kind) {
      case "header":
        yield* this.#takeHeader(record.header, line);
        return;
      case "title":
        this.#count("converted", line, "title");
        yield* this.#name(record.title.title, line);
        return;
      case "entry":
        yield* this.#takeEntry(record.entry, line);
        return;
      case "bad":
        yield* this.#takeBad(line, record.reason);
    }
  }

  /** The header becomes the imported session's own; whatever else it says is kept as a note. */
  *#takeHeader(header: SessionHeader, line: ForeignLine): Generator<SessionEntry> {
    if (this.#header !== undefined) {
      this.#count("note", line, "session", "another header");
      yield this.#note(line, "session", header);
      return;
    }
    this.#header = header;
    const version = header.version ?? 1;
    if (version > CURRENT_SESSION_VERSION) this.#options.report.nameUnknown(`version ${version}`);
    this.#count("converted", line, "session");
    yield this.#note(line, "session", header);
    yield* this.#name((header as { title?: unknown }).title, line);
  }

  *#name(title: unknown, line: ForeignLine): Generator<SessionEntry> {
    if (typeof title !== "string" || title.trim() === "") return;
    const id = foreignId(this.#source.id, "title", line.line);
    yield { type: "session_info", id, parentId: this.#previous, timestamp: this.#time, name: title };
  }

  *#takeEntry(entry: SessionEntry, line: ForeignLine): Generator<SessionEntry> {
    this.#time = stringIn(entry.timestamp) ?? this.#time;
    if (this.#seen.has(entry.id)) {
      this.#count("note", line, entry.type, "the same id stands earlier");
      yield this.#note(line, entry.type, entry);
      return;
    }
    const parentId = this.#parentOf(entry);
    this.#seen.add(entry.id);
    this.#previous = entry.id;
    for (const id of callIdsIn(entry)) this.#calls.set(id, entry.id);
    if (entry.type === ("credential_pin" as string)) {
      this.#count("reported", line, entry.type, "the mark of an account is left out");
      const place = { id: entry.id, parentId, timestamp: this.#time };
      yield noteEntry(place, { agent: "pi", type: entry.type, line: line.line, record: { type: entry.type } });
      return;
    }
    if (kindOf(entry) === Kind.other) this.#options.report.nameUnknown(`entry type ${entry.type}`);
    if (parentId === entry.parentId) {
      this.#count("kept", line, entry.type);
      yield withRawLine(entry, line.text);
      return;
    }
    this.#count("converted", line, entry.type, "its parent does not stand above it");
    yield withRawLine({ ...entry, parentId }, withParent(line.text, parentId));
  }

  #parentOf({ id, parentId }: SessionEntry): EntryId | null {
    if (parentId === null || (this.#seen.has(parentId) && parentId !== id)) return parentId;
    return this.#calls.get(parentId) ?? null;
  }

  *#takeBad(line: ForeignLine, reason: string): Generator<SessionEntry> {
    if (reason === "not-json") {
      this.#count("reported", line, line.terminated ? "unreadable line" : TORN_LINE);
      return;
    }
    const value: unknown = JSON.parse(line.text);
    const type = (isObject(value) ? stringIn(value.type) : undefined) ?? "(no type)";
    this.#count("note", line, type, reason);
    yield this.#note(line, type, value);
  }

  #note(line: ForeignLine, type: string, record: unknown): SessionEntry {
    const id = foreignId(this.#source.id, "line", line.line);
    const place = { id, parentId: this.#previous, timestamp: this.#time };
    return noteEntry(place, { agent: "pi", type, line: line.line, record });
  }

  #count(fate: "kept" | "converted" | "note" | "reported", { line }: ForeignLine, type: string, reason?: string): void {
    const { path: file } = this.#source;
    this.#options.report.count(fate, { file, line, type, ...(reason === undefined ? {} : { reason }) });
  }
}

function callIdsIn(entry: SessionEntry): string[] {
  const message: unknown = entry.type === "message" ? entry.message : undefined;
  const content = isObject(message) && message.role === "assistant" ? message.content : undefined;
  if (!Array.isArray(content)) return [];
  return content.flatMap((block) => (isObject(block) && typeof block.id === "string" ? [block.id] : []));
}
