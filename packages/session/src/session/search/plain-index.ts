/**
 * The index of a log in order, for a search that wants to know where hits are.
 *
 * `quickLoad` gives the same index, and is made for logs of any length: it works on single bytes, which is slow for as
 * long as the runtime has not compiled it. A search often ends before that. So here messages below the message before
 * them, which most lines are, are taken many at a time by code that is quick from the start, and of them little is
 * kept; what else there is goes through a regular expression.
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
import { kindOfType, LeafRule, roleOfRecord } from "../../entry/internal.js";
import type { Steps } from "../../text/index.js";
import { unreadableEntry } from "../entry-reader.js";
import { recordIn } from "../scan/line-text.js";
import type { IndexedPath } from "./branch-states.js";
import { EntryNumbers } from "./entry-numbers.js";
import { ID_PLACE, type MessageRun } from "./message-runs.js";
import type { PlainSource } from "./plain-source.js";

const NEWLINE = 0x0a;
const BRACE = 0x7d;
/** The first keys of a line end before, unless ids are very long. */
const HEAD = 224;
const PLAIN = String.raw`[^"\\\x80-\xff]`;
/** As much of a line as `scanRecord` looks at, of a message and of any other entry. */
const MESSAGE = new RegExp(
  String.raw`^\{"type":"message","id":"(${PLAIN}+)","parentId":"(${PLAIN}+)","timestamp":"${PLAIN}*","message":\{"role":"${PLAIN}*"`,
);
const OTHER = new RegExp(
  String.raw`^\{"type":"(${PLAIN}+)","id":"(${PLAIN}+)","parentId":(?:null|"(${PLAIN}+)"),"timestamp":"${PLAIN}*"(?:,"customType":"([^"]*)")?`,
);

interface PlainIndex extends IndexedPath {
  readonly header: SessionHeader;
  readonly title: TitleLine | undefined;
  /** Entries that name the session, oldest first. */
  readonly nameEntries: readonly number[];
  /** Whether an entry that was asked for could not be read: then the log was not in order after all. */
  isOdd(): boolean;
}

/** The index of a log in order; `undefined` for any other. A step for each piece of the log. */
export function* loadPlain(source: PlainSource): Steps<PlainIndex | undefined> {
  const { runs } = source;
  const lines = new PlainLines(source);
  let canRun = false;
  for (const { bytes, offset } of source.pieces()) {
    const end = bytes.length;
    // What comes after the last newline may still be written.
    if (bytes[end - 1] !== NEWLINE) return undefined;
    let at = 0;
    while (at < end && lines.inOrder) {
      if (canRun && runs !== undefined) {
        const run = runs.take(at, end, offset);
        lines.addRun(run);
        at = run.end;
      }
      if (at === end) break;
      const newline = bytes.indexOf(NEWLINE, at);
      const isFilled = lines.addLine(bytes.subarray(at, newline), offset + at);
      if (isFilled) canRun = lines.tip !== undefined && runs?.follow(lines.tip) === true;
      at = newline + 1;
    }
    // The careful index reads all of it anyway: once is enough.
    if (!lines.inOrder) return undefined;
    lines.end = offset + end;
    yield;
  }
  return yield* lines.index();
}

/** What is known of the lines so far. */
class PlainLines {
  readonly #source: PlainSource;
  readonly #numbers = new EntryNumbers((n, id) => this.#isAt(n, id));
  /** Of entries that were not taken in a run. */
  readonly #ids = new Map<number, string>();
  /** Where lines start, for as many as there are numbers. */
  #starts = new Uint32Array(1 << 12);
  /** Of entries that are not messages, or not below the one before them. */
  readonly #kinds = new Map<number, Kind>();
  readonly #parents = new Map<number, number>();
  readonly #nameEntries: number[] = [];
  #leaf = -1;
  readonly #rule = new LeafRule();
  #header: SessionHeader | undefined;
  #title: TitleLine | undefined;
  /** False as soon as there was a line that a log in order does not have, or more of them than can be told apart. */
  inOrder = true;
  /** The id of the last entry that was not in a run, where messages may come below it. */
  tip: string | undefined;

  /** After the last line. */
  end = 0;

  constructor(source: PlainSource) {
    this.#source = source;
  }

  addRun({ starts, keys }: MessageRun): void {
    const count = this.#numbers.count;
    if (keys.length === 0) return;
    this.#makeRoom(keys.length);
    this.#starts.set(starts, count);
    this.#numbers.addRun(keys);
    if (this.#numbers.isFull) this.inOrder = false;
    this.#leaf = count + keys.length - 1;
  }

  /** A line by its first bytes, or parsed if they do not tell. False for a blank one. */
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
    if ((parent < 0 && parentId !== null) || this.#kinds.get(parent) === Kind.position) this.inOrder = false;
    this.#makeRoom(1);
    this.#starts[n] = start;
    this.#numbers.add(id);
    if (this.#numbers.isFull) this.inOrder = false;
    this.#ids.set(n, id);
    if (parent !== n - 1) this.#parents.set(n, parent);
    if (kind !== Kind.message) this.#kinds.set(n, kind);
    if (kind === Kind.sessionInfo) this.#nameEntries.push(n);
    const effect = this.#rule.effectOf(kind, role, id);
    if (effect === LeafEffect.sets || (effect === LeafEffect.extends && parent === this.#leaf)) this.#leaf = n;
    else if (effect === LeafEffect.points) this.#leaf = parent;
    this.tip = kind === Kind.position ? undefined : id;
  }

  /** Undefined if the lines are not in order. */
  *index(): Steps<PlainIndex | undefined> {
    if (!this.inOrder || this.#header === undefined || (yield* this.#numbers.hasTwins())) return undefined;
    const source = this.#source;
    const count = this.#numbers.count;
    const starts = this.#starts;
    const numberOf = (id: string): number => this.#numbers.numberOf(id);
    const kindAt = (n: number): Kind => this.#kinds.get(n) ?? Kind.message;
    const parentOf = (n: number): number => this.#parents.get(n) ?? n - 1;
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
    const count = this.#numbers.count;
    if (count + more <= this.#starts.length) return;
    const larger = new Uint32Array(Math.max(2 * this.#starts.length, count + more));
    larger.set(this.#starts);
    this.#starts = larger;
  }
}

interface PlainEntry {
  readonly id: string;
  readonly parentId: string | null;
  readonly kind: Kind;
  /** Of a message it does not matter. */
  readonly role: Role;
  readonly start: number;
}

/** The last byte that is not a blank of JSON. */
function lastByte(line: Buffer): number | undefined {
  let at = line.length - 1;
  while (line[at] === 0x20 || line[at] === 0x09 || line[at] === 0x0d) at--;
  return line[at];
}

/** `other` where the first bytes of a line do not tell. */
function kindOfPlace(type: string, customType: string | undefined): Kind {
  const kind = kindOfType(type);
  if (kind === Kind.message) return Kind.other;
  if (kind !== Kind.custom && kind !== Kind.customMessage) return kind;
  if (customType === undefined) return Kind.other;
  return kind === Kind.custom && customType === POSITION_TYPE ? Kind.position : kind;
}
