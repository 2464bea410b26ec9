/**
 * The index of a log in order, for a search that wants to know where a few hits stand.
 *
 * `quickLoad` gives the same index, and is made for logs of any length: it works on single bytes, which is slow for as
 * long as the runtime has not compiled it. A search that hits few files ends before that. So here native code does most
 * of the work, a regular expression and a map, and of a message below the message before it little is kept.
 */
import {
  isMark,
  Kind,
  kindOf,
  kindOfType,
  LeafEffect,
  leafEffect,
  POSITION_TYPE,
  Role,
  type SessionEntry,
  type SessionHeader,
  type TitleLine,
} from "../../entry/index.js";
import type { Log, ScannedLine } from "../../log/index.js";
import { unreadableEntry } from "../entry-reader.js";
import { recordIn, wholeLine } from "../line-text.js";
import type { IndexedPath } from "./branch-states.js";

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

export interface PlainIndex extends IndexedPath {
  readonly header: SessionHeader;
  readonly title: TitleLine | undefined;
  /** Entries that name the session, oldest first. */
  readonly nameEntries: readonly number[];
  /** Whether an entry that was asked for could not be read: then the log was not in order after all. */
  isOdd(): boolean;
}

/** The index of a log in order; `undefined` for any other. */
export function loadPlain(log: Log): PlainIndex | undefined {
  const numbers = new Map<string, number>();
  const offsets: number[] = [];
  /** Of entries that are no messages, or not below the one before them. */
  const kinds = new Map<number, Kind>();
  const parents = new Map<number, number>();
  const nameEntries: number[] = [];
  let leaf = -1;
  let lastId: string | undefined;
  let header: SessionHeader | undefined;
  let title: TitleLine | undefined;
  let inOrder = true;
  let isOdd = false;

  const kindAt = (n: number): Kind => kinds.get(n) ?? Kind.message;
  const parentOf = (n: number): number => parents.get(n) ?? n - 1;

  const add = (id: string, parentId: string | null, kind: Kind, offset: number): void => {
    const n = offsets.length;
    const parent = parentId === null ? -1 : (numbers.get(parentId) ?? n);
    if (parent === n || kinds.get(parent) === Kind.position || numbers.has(id)) inOrder = false;
    numbers.set(id, n);
    offsets.push(offset);
    lastId = id;
    if (parent !== n - 1) parents.set(n, parent);
    if (kind !== Kind.message) kinds.set(n, kind);
    if (kind === Kind.sessionInfo) nameEntries.push(n);
    const effect = leafEffect(kind);
    if (effect === LeafEffect.sets || (effect === LeafEffect.extends && parent === leaf)) leaf = n;
    else if (effect === LeafEffect.points) leaf = parent;
  };

  /** A line that is no message: by its first bytes, or parsed where they do not tell. */
  const takeOther = (line: ScannedLine, head: string): void => {
    const place = header === undefined ? null : OTHER.exec(head);
    const kind = place === null ? Kind.other : kindOfPlace(place[1] as string, place[4]);
    if (place !== null && kind !== Kind.other) {
      add(place[2] as string, place[3] ?? null, kind, line.offset);
      return;
    }
    const record = line.terminated ? recordIn(wholeLine(log, line)) : undefined;
    if (record?.kind === "header" && header === undefined) header = record.header;
    else if (record?.kind === "title" && header === undefined) title = record.title;
    else if (record?.kind === "entry" && header !== undefined) {
      const { entry } = record;
      add(entry.id, entry.parentId, kindOf(entry), line.offset);
    } else inOrder = false;
  };

  const end = log.scan(0, (line) => {
    if (!inOrder || line.last < 0) return;
    const isWhole = line.last === BRACE && line.terminated;
    const head = isWhole ? line.bytes.toString("latin1", line.start, Math.min(line.start + HEAD, line.end)) : "";
    const message = header === undefined ? null : MESSAGE.exec(head);
    if (message === null) takeOther(line, head);
    else if (message[2] !== lastId) add(message[1] as string, message[2] as string, Kind.message, line.offset);
    else {
      const n = offsets.length;
      lastId = message[1] as string;
      numbers.set(lastId, n);
      offsets.push(line.offset);
      leaf = n;
      // The same id twice, or a parent that cannot be one.
      if (numbers.size !== n + 1 || kinds.get(n - 1) === Kind.position) inOrder = false;
    }
  });
  if (!inOrder || header === undefined) return undefined;
  log.accept(end);

  const entryAt = (n: number): SessionEntry => {
    const offset = offsets[n] as number;
    const bytes = log.readAt(offset, (offsets[n + 1] ?? end.certain) - offset);
    const record = recordIn(bytes);
    if (record.kind === "entry" && numbers.get(record.entry.id) === n) return record.entry;
    isOdd = true;
    return unreadableEntry("", null);
  };
  const markAt = (n: number): number => {
    let mark = n;
    while (mark >= 0 && !isMark(kindAt(mark))) mark = parentOf(mark);
    return mark;
  };
  return {
    ...{ header, title, nameEntries, leaf, count: offsets.length, isOdd: () => isOdd },
    ...{ kindOf: kindAt, parentOf, markAt, entryAt },
    // No state depends on it.
    roleOf: () => Role.none,
    offsetOf: (n) => offsets[n] as number,
    numberOf: (id) => numbers.get(id) ?? -1,
  };
}

/** `other` where the first bytes of a line do not tell. */
function kindOfPlace(type: string, customType: string | undefined): Kind {
  const kind = kindOfType(type);
  if (kind === Kind.message) return Kind.other;
  if (kind !== Kind.custom) return kind;
  return customType === undefined ? Kind.other : customType === POSITION_TYPE ? Kind.position : kind;
}
