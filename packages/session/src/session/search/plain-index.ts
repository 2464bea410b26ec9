/**
 * The index of a log in order, for a search that needs to locate its hits.
 *
 * `quickLoad` gives the same index and handles logs of any length, but works on single bytes, which is slow until the
 * runtime has compiled it. A search often ends before that. So here runs of messages, each a child of the one before,
 * which is most lines, are taken many at a time by code that is fast from the start, and little of them is kept; all
 * other lines go through a regular expression.
 */
import {
  isMark,
  Kind,
  kindOf,
  LeafEffect,
  POSITION_TYPE,
  Role,
  roleOf,
  type SessionEntry,
  type SessionHeader,
  type TitleLine,
} from "../../entry/index.js";
import { kindOfType, LeafRule, roleOfRecord, SubagentEntries } from "../../entry/internal.js";
import type { Steps } from "../../text/index.js";
import { unreadableEntry } from "../entry-reader.js";
import { recordIn } from "../scan/line-text.js";
import type { IndexedPath } from "./branch-states.js";
import { EntryNumbers } from "./entry-numbers.js";
import { ID_PLACE, type MessageRun } from "./message-runs.js";
import type { PlainReader, PlainSource } from "./plain-source.js";

/** Entries that most logs do not exceed. */
const ROOM = 1 << 12;
const NEWLINE = 0x0a;
const BRACE = 0x7d;
/** The first keys of a line end before this, unless IDs are very long. */
const HEAD = 224;
const PLAIN = String.raw`[^"\\\x80-\xff]`;
/** The part of a line that `scanRecord` examines, for a message and for any other entry. */
const MESSAGE = new RegExp(
  String.raw`^\{"type":"message","id":"(${PLAIN}+)","parentId":"(${PLAIN}+)","timestamp":"${PLAIN}*","message":\{"role":"${PLAIN}*"`,
);
const OTHER = new RegExp(
  String.raw`^\{"type":"(${PLAIN}+)","id":"(${PLAIN}+)","parentId":(?:null|"(${PLAIN}+)"),"timestamp":"${PLAIN}*"(?:,"customType":"([^"]*)")?`,
);

export interface PlainIndex extends IndexedPath {
  readonly header: SessionHeader;
  readonly title: TitleLine | undefined;
  /** Entries that name the session, oldest first. */
  readonly nameEntries: readonly number[];
  /** Whether any requested entry was unreadable: then the log was not in order after all. */
  isOdd(): boolean;
}

/** The index of a log in order; `undefined` for any other. One step per piece of the log. */
export function* loadPlain(source: PlainSource): Steps<PlainIndex | undefined> {
  const loading = new PlainLoading(source);
  for (const { bytes, offset } of source.pieces()) {
    // Stop here: the careful index reads everything anyway.
    if (!loading.take(bytes, { from: 0, offset })) return undefined;
    yield;
  }
  return yield* loading.finish();
}

/** Takes the lines of a log in pieces, from its start on and without a gap, and then gives its index. */
export class PlainLoading {
  readonly #runs: PlainReader["runs"];
  readonly #lines: PlainLines;
  #canRun = false;

  constructor(reader: PlainReader) {
    this.#runs = reader.runs;
    this.#lines = new PlainLines(reader);
  }

  /** The end of what was taken. */
  get end(): number {
    return this.#lines.end;
  }

  /**
   * Takes whole lines: `bytes` from `from` on, where `bytes` is at the start of the window of `runs` and at `offset` in
   * the log. False if the log is not in order, or something is missing: then there is no index.
   */
  take(bytes: Buffer, { from, offset }: { readonly from: number; readonly offset: number }): boolean {
    const runs = this.#runs;
    const lines = this.#lines;
    const end = bytes.length;
    // Anything after the last newline may still be being written.
    if (offset + from !== lines.end || bytes[end - 1] !== NEWLINE) lines.inOrder = false;
    let at = from;
    while (at < end && lines.inOrder) {
      if (this.#canRun && runs !== undefined) {
        const run = runs.take(at, end, offset);
        lines.addRun(run);
        at = run.end;
      }
      if (at === end) break;
      const newline = bytes.indexOf(NEWLINE, at);
      const isFilled = lines.addLine(bytes.subarray(at, newline), offset + at);
      if (isFilled) this.#canRun = lines.tip !== undefined && runs?.follow(lines.tip) === true;
      at = newline + 1;
    }
    lines.end = offset + end;
    return lines.inOrder;
  }

  /** Undefined if the log is not in order. */
  finish(): Steps<PlainIndex | undefined> {
    return this.#lines.index();
  }
}

/** The facts of the lines read so far. */
class PlainLines {
  readonly #source: PlainReader;
  readonly #numbers = new EntryNumbers((n, id) => this.#isAt(n, id));
  /** For entries that were not taken in a run. */
  readonly #ids = new Map<number, string>();
  // Columns for at least as many entries as there are numbers.
  #starts = new Uint32Array(ROOM);
  #kinds = new Uint8Array(ROOM).fill(Kind.message);
  /** How many entries are between an entry and its parent: none in a run. */
  #between = new Uint32Array(ROOM);
  readonly #nameEntries: number[] = [];
  #leaf = -1;
  readonly #rule = new LeafRule();
  readonly #subagents = new SubagentEntries<number>();
  #header: SessionHeader | undefined;
  #title: TitleLine | undefined;
  /** False as soon as a line occurs that a log in order does not have, or there are too many lines. */
  inOrder = true;
  /** The ID of the last entry outside a run, if messages may continue from it. */
  tip: string | undefined;

  /** The end of the last line. */
  end = 0;

  constructor(source: PlainReader) {
    this.#source = source;
  }

  addRun({ starts, keys }: MessageRun): void {
    const count = this.#numbers.count;
    if (keys.length === 0) return;
    this.#makeRoom(keys.length);
    this.#starts.set(starts, count);
    this.#numbers.addRun(keys);
    if (this.#numbers.isFull) this.inOrder = false;
    const end = count + keys.length;
    if (!this.#subagents.has(count - 1)) this.#leaf = end - 1;
    else for (let n = count; n < end; n++) this.#follow(LeafEffect.sets, { n, parent: n - 1, role: Role.none });
  }

  /** Adds a line by its first bytes, or parsed if they are not enough. False for a blank one. */
  addLine(line: Buffer, start: number): boolean {
    const last = lastByte(line);
    if (last === undefined) return false;
    this.#addFilled(line, { start, last });
    return true;
  }

  #addFilled(line: Buffer, { start, last }: { readonly start: number; readonly last: number }): void {
    const head = last === BRACE && this.#header !== undefined ? line.toString("latin1", 0, HEAD) : "";
    const message = MESSAGE.exec(head);
    if (message !== null) {
      this.#add({
        id: message[1] as string,
        parentId: message[2] as string,
        kind: Kind.message,
        role: Role.none,
        start,
      });
      return;
    }
    const place = OTHER.exec(head);
    const kind = place === null ? Kind.other : kindOfPlace(place[1] as string, place[4]);
    if (place === null || kind === Kind.other) this.#addRecord(line, start);
    else {
      const role = roleOfRecord(place[1] as string, place[4]);
      this.#add({ id: place[2] as string, parentId: place[3] ?? null, kind, role, start });
    }
  }

  #addRecord(line: Buffer, start: number): void {
    const record = recordIn(line);
    const isFirst = this.#header === undefined;
    if (record.kind === "header" && isFirst) this.#header = record.header;
    else if (record.kind === "title" && isFirst) this.#title = record.title;
    else if (record.kind === "entry" && !isFirst) {
      const { entry } = record;
      this.#add({ id: entry.id, parentId: entry.parentId, kind: kindOf(entry), role: roleOf(entry), start });
    } else this.inOrder = false;
  }

  #add({ id, parentId, kind, role, start }: PlainEntry): void {
    const n = this.#numbers.count;
    const parent = parentId === null ? -1 : this.#numbers.numberOf(parentId);
    if (parent < 0 ? parentId !== null : this.#kinds[parent] === Kind.position) this.inOrder = false;
    this.#makeRoom(1);
    this.#starts[n] = start;
    this.#kinds[n] = kind;
    this.#between[n] = n - 1 - parent;
    this.#numbers.add(id);
    if (this.#numbers.isFull) this.inOrder = false;
    this.#ids.set(n, id);
    if (kind === Kind.sessionInfo) this.#nameEntries.push(n);
    this.#follow(this.#rule.effectOf(kind, role, id), { n, parent, role });
    this.tip = kind === Kind.position ? undefined : id;
  }

  #follow(ruled: LeafEffect, { n, parent, role }: { n: number; parent: number; role: Role }): void {
    const effect = this.#subagents.effectOf(ruled, { id: n, parent, role, leaf: this.#leaf });
    if (effect === LeafEffect.sets || (effect === LeafEffect.extends && parent === this.#leaf)) this.#leaf = n;
    else if (effect === LeafEffect.points) this.#leaf = parent;
  }

  /** Undefined if the lines are not in order. */
  *index(): Steps<PlainIndex | undefined> {
    if (!this.inOrder || this.#header === undefined || (yield* this.#numbers.mayHaveDuplicates())) return undefined;
    const source = this.#source;
    const count = this.#numbers.count;
    const starts = this.#starts;
    const kinds = this.#kinds;
    const between = this.#between;
    const numberOf = (id: string): number => this.#numbers.numberOf(id);
    const kindAt = (n: number): Kind => kinds[n] as Kind;
    const parentOf = (n: number): number => n - 1 - (between[n] as number);
    let isOdd = false;
    const entryAt = (n: number): SessionEntry => {
      const start = starts[n] as number;
      const record = recordIn(source.readAt(start, (n + 1 < count ? (starts[n + 1] as number) : this.end) - start));
      if (record.kind === "entry" && numberOf(record.entry.id) === n) return record.entry;
      isOdd = true;
      return unreadableEntry("", null);
    };
    const markAt = (n: number): number => {
      let mark = n;
      while (mark >= 0 && !isMark(kindAt(mark))) mark = parentOf(mark);
      return mark;
    };
    return {
      ...{ header: this.#header, title: this.#title, nameEntries: this.#nameEntries },
      ...{ leaf: this.#leaf, count, isOdd: () => isOdd },
      ...{ kindOf: kindAt, parentOf, markAt, entryAt, numberOf },
      // No state depends on it.
      roleOf: () => Role.none,
      offsetOf: (n) => starts[n] as number,
    };
  }

  #isAt(n: number, id: string): boolean {
    const known = this.#ids.get(n);
    if (known !== undefined) return known === id;
    const start = (this.#starts[n] as number) + ID_PLACE;
    return this.#source.readAt(start, id.length + 1).toString("latin1") === `${id}"`;
  }

  #makeRoom(more: number): void {
    const needed = this.#numbers.count + more;
    if (needed <= this.#starts.length) return;
    const room = Math.max(2 * this.#starts.length, needed);
    const starts = new Uint32Array(room);
    const kinds = new Uint8Array(room).fill(Kind.message);
    const between = new Uint32Array(room);
    starts.set(this.#starts);
    kinds.set(this.#kinds);
    between.set(this.#between);
    this.#starts = starts;
    this.#kinds = kinds;
    this.#between = between;
  }
}

interface PlainEntry {
  readonly id: string;
  readonly parentId: string | null;
  readonly kind: Kind;
  /** Irrelevant for a message. */
  readonly role: Role;
  readonly start: number;
}

/** The last byte that is not JSON white space. */
function lastByte(line: Buffer): number | undefined {
  let at = line.length - 1;
  while (line[at] === 0x20 || line[at] === 0x09 || line[at] === 0x0d) at--;
  return line[at];
}

/** `other` if the first bytes of a line are not enough. */
function kindOfPlace(type: string, customType: string | undefined): Kind {
  const kind = kindOfType(type);
  if (kind === Kind.message) return Kind.other;
  if (kind !== Kind.custom && kind !== Kind.customMessage) return kind;
  if (customType === undefined) return Kind.other;
  return kind === Kind.custom && customType === POSITION_TYPE ? Kind.position : kind;
}
