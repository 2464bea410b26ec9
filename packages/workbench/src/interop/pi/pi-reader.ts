/**
 * Reads session files of pi, oh-my-pi and OpenClaw. They are in Bough's own format, so the engine's index determines
 * the parents of entries, as for a file opened in place: damage, parents that come later, and OpenClaw's way of naming
 * parents have the same effect in both cases. A valid line is kept byte for byte, even if its type is unknown. Old
 * versions are upgraded as usual.
 */
import { closeSync, openSync, writeSync } from "node:fs";
import { join } from "node:path";
import {
  CURRENT_SESSION_VERSION,
  type EntryId,
  Kind,
  kindOf,
  parseRecord,
  type SessionEntry,
  type SessionHeader,
} from "@bough/session/entry/index.js";
import { createUpgrade, LeafTrail, sessionVersion } from "@bough/session/entry/internal.js";
import { temporaryFolder } from "@bough/session/log/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { isRecord } from "@bough/session/text/index.js";
import type { ForeignReader, ForeignSession, ReadOptions } from "../contract.js";
import { foreignId, noteEntry, positionEntry } from "../foreign-entry.js";
import { type ForeignLine, foreignLines, stringIn } from "../foreign-lines.js";
import { TORN_LINE, UNREADABLE_LINE } from "../loss-report.js";
import { withBlobs } from "./pi-blobs.js";
import { PiLinks, type ReadEntry } from "./pi-links.js";
import { describePi, detectPi, findPi } from "./pi-places.js";

export const piReader: ForeignReader = {
  agent: "pi",
  detect: async (path) => detectPi(path),
  describe: async (path) => [describePi(path)],
  find: findPi,
  read: readPi,
};

async function* readPi(source: ForeignSession, options: ReadOptions): AsyncGenerator<SessionEntry> {
  const current = currentFile(source.path);
  const session = SessionManager.open(current.path, undefined, { readOnly: true });
  try {
    const reading = new PiReading({ source, session, options });
    const trail = new LeafTrail();
    for (const line of foreignLines(current.path)) {
      options.signal?.throwIfAborted();
      for (const entry of reading.take({ ...line, text: line.text.replace(/^\uFEFF/, "").replace(/\r$/, "") })) {
        trail.take(entry);
        yield entry;
      }
    }
    for (const entry of reading.finish()) {
      trail.take(entry);
      yield entry;
    }
    yield* reading.position(trail.leaf);
  } finally {
    session.close();
    current.close();
  }
}

interface Parts {
  readonly source: ForeignSession;
  readonly session: SessionManager;
  readonly options: ReadOptions;
}

class PiReading {
  readonly #source: ForeignSession;
  readonly #options: ReadOptions;
  readonly #session: SessionManager;
  readonly #links: PiLinks;
  #header: SessionHeader | undefined;
  #time: string;
  #previous: EntryId | null = null;
  /** The last entry in the file, of any type. */
  #last: EntryId | null = null;
  #hasOwnRecords = false;

  constructor({ source, session, options }: Parts) {
    this.#source = source;
    this.#options = options;
    this.#session = session;
    this.#links = new PiLinks(session);
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

  /** Yields entries whose parent never came. */
  *finish(): Generator<SessionEntry> {
    yield* this.#links.abandoned();
  }

  /**
   * pi and oh-my-pi continue at the last line, even if it is a label, a name or an extension's record. If Bough wrote
   * to the file too, Bough's rule applies. Entries that waited for their parent come later here, which makes no
   * difference.
   */
  *position(leaf: EntryId | null): Generator<SessionEntry> {
    const wanted = this.#hasOwnRecords ? this.#session.getLeafId() : this.#last;
    if (wanted === leaf || wanted === null || !this.#links.isPlaced(wanted)) return;
    yield positionEntry(wanted, this.#time, `${this.#source.id} ${this.#session.getCounts().entries}`);
  }

  /** The header becomes that of the imported session; the original is kept as a note. */
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
    this.#last = entry.id;
    if (entry.type === "custom" && stringIn(entry.customType)?.startsWith("bough.") === true)
      this.#hasOwnRecords = true;
    if (this.#links.isKnown(entry.id)) {
      this.#count("note", line, entry.type, "the same id appears earlier");
      yield this.#note(line, entry.type, entry);
      return;
    }
    if (entry.type === ("credential_pin" as string)) {
      this.#count("reported", line, entry.type, "the account marker is left out");
      yield* this.#placed({ entry: this.#placeholder(entry, line, { type: entry.type }) });
      return;
    }
    const whole = withBlobs(entry, line.text, this.#source.path);
    if (whole !== entry) {
      this.#count("converted", line, entry.type, "its images were in files next to the session");
      yield* this.#placed({ entry: whole });
      return;
    }
    if (kindOf(entry) === Kind.other) this.#options.report.nameUnknown(`entry type ${entry.type}`);
    if (this.#links.parentOf(entry) === entry.parentId) this.#count("kept", line, entry.type);
    else this.#count("converted", line, entry.type, "its parent does not precede it");
    yield* this.#placed({ entry, text: line.text });
  }

  *#placed(read: ReadEntry): Generator<SessionEntry> {
    for (const entry of this.#links.place(read)) {
      this.#previous = entry.id;
      yield entry;
    }
  }

  *#takeBad(line: ForeignLine, reason: string): Generator<SessionEntry> {
    if (reason === "not-json") {
      yield* this.#takeDamaged(line);
      return;
    }
    const value: unknown = JSON.parse(line.text);
    const type = (isRecord(value) ? stringIn(value.type) : undefined) ?? "(no type)";
    this.#count("note", line, type, reason);
    yield this.#note(line, type, value);
  }

  /**
   * Keeps complete records inside the line. A cut one becomes a placeholder, so that its children keep their parent.
   */
  *#takeDamaged(line: ForeignLine): Generator<SessionEntry> {
    const ids = this.#links.idsIn(line).filter((id) => !this.#links.isKnown(id));
    const found = ids.map((id) => ({ id, entry: this.#links.recovered(id) }));
    const isRead = found.some(({ entry }) => entry !== undefined);
    if (isRead) this.#count("converted", line, UNREADABLE_LINE, "several records in one line");
    else this.#count("reported", line, line.terminated ? UNREADABLE_LINE : TORN_LINE);
    for (const { id, entry } of found) {
      const cut = { type: UNREADABLE_LINE, id, parentId: null };
      yield* this.#placed({ entry: entry ?? this.#placeholder(cut, line, null) });
    }
  }

  /** Keeps the place of an entry whose content is not imported. */
  #placeholder(
    { type, id, parentId }: Pick<SessionEntry, "id" | "parentId"> & { readonly type: string },
    { line }: ForeignLine,
    record: unknown,
  ): SessionEntry {
    return noteEntry({ id, parentId, timestamp: this.#time }, { agent: "pi", type, line, record });
  }

  #note(line: ForeignLine, type: string, record: unknown): SessionEntry {
    const id = foreignId(this.#source.id, "line", line.line);
    const place = { id, parentId: this.#previous, timestamp: this.#time };
    return noteEntry(place, { agent: "pi", type, line: line.line, record });
  }

  #count(fate: "kept" | "converted" | "note" | "reported", { line }: ForeignLine, type: string, reason?: string): void {
    const { path: file } = this.#source;
    this.#options.report.count(fate, { file, line, type, reason });
  }
}

/** A session file in the current version: the file itself, or an upgraded temporary copy. */
interface CurrentFile {
  readonly path: string;
  close(): void;
}

/** The copy has the same line numbers. The file itself is only read. */
function currentFile(path: string): CurrentFile {
  return isOld(path) ? upgradedCopy(path) : { path, close: () => {} };
}

function isOld(path: string): boolean {
  for (const { text } of foreignLines(path)) {
    const record = parseRecord(text.replace(/^\uFEFF/, ""));
    if (record.kind === "header") return sessionVersion(record.header).kind === "old";
  }
  return false;
}

function upgradedCopy(path: string): CurrentFile {
  const { path: folder, remove } = temporaryFolder("pi");
  const copy = join(folder, "session.jsonl");
  try {
    const file = openSync(copy, "wx", 0o600);
    try {
      const upgrade = createUpgrade();
      let written = 0;
      for (const { line, text, terminated } of foreignLines(path)) {
        const upgraded = upgrade.upgradeLine(text.replace(/^\uFEFF/, "").replace(/\r$/, ""));
        writeSync(file, `${"\n".repeat(line - 1 - written)}${upgraded}${terminated ? "\n" : ""}`);
        written = line;
      }
    } finally {
      closeSync(file);
    }
    return { path: copy, close: remove };
  } catch (error) {
    remove();
    throw error;
  }
}
