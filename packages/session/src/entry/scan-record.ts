/**
 * Reads the ID, parent, kind and time of a record from the first bytes of its line, without parsing it (keeps I8).
 *
 * Understands the key order that every writer of this format uses: `type`, `id`, `parentId`, `timestamp`, then the
 * rest. Any other order, an escape inside an ID, or a cut line is left to the caller, who parses that one line.
 */
import { ATTEMPT_TYPE } from "./attempt-type.js";
import { POSITION_TYPE } from "./entry.js";
import { Kind, kindOfType, OWN_PREFIX, Role, roleOfName } from "./kind.js";
import {
  isMessageType,
  isNullParent,
  startsCustomType,
  startsId,
  startsMessage,
  startsParent,
  startsTimestamp,
  startsType,
} from "./line-bytes.js";
import { SUBAGENT_TYPE } from "./subagent-types.js";

export const Scan = {
  /** The fast scan does not apply: parse the line. */
  unclear: 0,
  entry: 1,
  header: 2,
  title: 3,
} as const;
export type Scan = (typeof Scan)[keyof typeof Scan];

/** The result of one scan. One object is reused for every line, so that a scan allocates nothing. */
export interface RecordScan {
  kind: Kind;
  role: Role;
  idStart: number;
  idEnd: number;
  /** -1 if `parentId` is null. */
  parentStart: number;
  parentEnd: number;
  /** The start of the text of `timestamp`; -1 if it does not have the usual form of 24 characters ending in `Z`. */
  timestampStart: number;
  /** The bytes that these positions refer to. Thousands of lines share one block, whose view is created once. */
  bytes: Uint8Array;
  view: DataView;
}

export function newRecordScan(): RecordScan {
  const bytes = new Uint8Array(0);
  const place = { idStart: 0, idEnd: 0, parentStart: -1, parentEnd: -1, timestampStart: -1 };
  return { kind: Kind.other, role: Role.none, ...place, bytes, view: new DataView(bytes.buffer) };
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

const TYPE_LENGTH = '{"type":"'.length;
const MESSAGE_TYPE_LENGTH = 'message"'.length;
const ID_LENGTH = '","id":"'.length;
const PARENT_LENGTH = '","parentId":'.length;
const NULL_LENGTH = 'null,"timestamp":"'.length;
const TIMESTAMP_LENGTH = '","timestamp":"'.length;
const MESSAGE_LENGTH = '","message":{"role":"'.length;
const CUSTOM_TYPE_LENGTH = '","customType":"'.length;
const SESSION = ascii("session");
const TITLE = ascii("title");
const POSITION = ascii(`${POSITION_TYPE}"`);
const SUBAGENT = ascii(`${SUBAGENT_TYPE}"`);
const ATTEMPT = ascii(`${ATTEMPT_TYPE}"`);
const OWN = ascii(OWN_PREFIX);

const KIND_NAMES = names(
  [
    "message",
    "compaction",
    "reset_boundary",
    "branch_summary",
    "custom_message",
    "model_change",
    "thinking_level_change",
    "mode_change",
    "ttsr_injection",
    "context_edit",
    "custom",
    "label",
    "session_info",
    "title_change",
    "usage",
  ],
  kindOfType,
);
const ROLE_NAMES = names(
  [
    "user",
    "assistant",
    "toolResult",
    "bashExecution",
    "custom",
    "hookMessage",
    "branchSummary",
    "compactionSummary",
    "system",
  ],
  roleOfName,
);

/** Scans the line that starts at `start`; bytes from `end` on belong to another line. */
export function scanRecord(bytes: Uint8Array, start: number, end: number, out: RecordScan): Scan {
  if (out.bytes !== bytes) useBytes(bytes, out);
  const { view } = out;
  const typeStart = start + TYPE_LENGTH;
  if (typeStart + MESSAGE_TYPE_LENGTH > end || !startsType(view, start)) return Scan.unclear;
  let kind: Kind = Kind.message;
  let typeEnd = typeStart + MESSAGE_TYPE_LENGTH - 1;
  if (!isMessageType(view, typeStart)) {
    typeEnd = closingQuote(view, typeStart, end);
    if (typeEnd < 0) return Scan.unclear;
    kind = lookUp(KIND_NAMES, bytes, typeStart, typeEnd) as Kind;
    if (kind === Kind.other) {
      if (equals(bytes, typeStart, typeEnd, SESSION)) return Scan.header;
      if (equals(bytes, typeStart, typeEnd, TITLE)) return Scan.title;
    }
  }
  const idStart = typeEnd + ID_LENGTH;
  if (idStart > end || !startsId(view, typeEnd)) return Scan.unclear;
  const idEnd = closingQuote(view, idStart, end);
  const parent = idEnd + PARENT_LENGTH;
  if (idEnd <= idStart || parent >= end || !startsParent(view, idEnd)) return Scan.unclear;

  let timestampStart: number;
  if (view.getUint8(parent) === QUOTE) {
    const parentEnd = closingQuote(view, parent + 1, end);
    timestampStart = parentEnd + TIMESTAMP_LENGTH;
    if (parentEnd < 0 || timestampStart > end || !startsTimestamp(view, parentEnd)) return Scan.unclear;
    out.parentStart = parent + 1;
    out.parentEnd = parentEnd;
  } else {
    timestampStart = parent + NULL_LENGTH;
    if (timestampStart > end || !isNullParent(view, parent)) return Scan.unclear;
    out.parentStart = -1;
    out.parentEnd = -1;
  }
  out.kind = kind;
  out.role = Role.none;
  out.idStart = idStart;
  out.idEnd = idEnd;
  out.timestampStart = isPlainTime(view, timestampStart, end) ? timestampStart : -1;
  if (kind === Kind.message) return scanRole(bytes, timestampStart, end, out);
  if (kind === Kind.custom || kind === Kind.customMessage) return scanCustomType(bytes, timestampStart, end, out);
  return Scan.entry;
}

function useBytes(bytes: Uint8Array, out: RecordScan): void {
  out.bytes = bytes;
  out.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function scanRole(bytes: Uint8Array, timestampStart: number, end: number, out: RecordScan): Scan {
  const { view } = out;
  const timestampEnd = timestampStart + timestampLength(view, timestampStart, end);
  const roleStart = timestampEnd + MESSAGE_LENGTH;
  if (roleStart > end || !startsMessage(view, timestampEnd)) return Scan.unclear;
  const roleEnd = closingQuote(view, roleStart, end);
  if (roleEnd < 0) return Scan.unclear;
  const role = lookUp(ROLE_NAMES, bytes, roleStart, roleEnd) as Role;
  out.role = role === Role.none ? Role.other : role;
  return Scan.entry;
}

function scanCustomType(bytes: Uint8Array, timestampStart: number, end: number, out: RecordScan): Scan {
  const { view } = out;
  const timestampEnd = timestampStart + timestampLength(view, timestampStart, end);
  const typeStart = timestampEnd + CUSTOM_TYPE_LENGTH;
  if (typeStart > end || !startsCustomType(view, timestampEnd)) return Scan.unclear;
  if (!matches(bytes, typeStart, end, OWN)) return Scan.entry;
  out.role = Role.bough;
  if (out.kind !== Kind.custom) return Scan.entry;
  if (matches(bytes, typeStart, end, POSITION)) out.kind = Kind.position;
  else if (matches(bytes, typeStart, end, SUBAGENT)) out.role = Role.subagent;
  else if (matches(bytes, typeStart, end, ATTEMPT)) out.role = Role.attempt;
  return Scan.entry;
}

function isPlainTime(view: DataView, start: number, end: number): boolean {
  return start + 24 < end && view.getUint8(start + 24) === QUOTE && view.getUint8(start + 23) === 0x5a;
}

/** An ISO time has 24 characters in every known file; anything else is measured. */
function timestampLength(view: DataView, start: number, end: number): number {
  if (isPlainTime(view, start, end)) return 24;
  const quote = closingQuote(view, start, end);
  return quote < 0 ? end : quote - start;
}

/**
 * Position of the quote that ends a plain string; -1 if the string holds an escape or a non-ASCII byte (which may not
 * be UTF-8 either), or does not end.
 */
function closingQuote(view: DataView, from: number, end: number): number {
  for (let i = from; i < end; i++) {
    const byte = view.getUint8(i);
    if (byte === QUOTE) return i;
    if (byte === BACKSLASH || byte >= 0x80) return -1;
  }
  return -1;
}

function matches(bytes: Uint8Array, at: number, end: number, expected: Uint8Array): boolean {
  if (at + expected.length > end) return false;
  for (let i = 0; i < expected.length; i++) if (bytes[at + i] !== expected[i]) return false;
  return true;
}

function equals(bytes: Uint8Array, start: number, end: number, expected: Uint8Array): boolean {
  return end - start === expected.length && matches(bytes, start, end, expected);
}

interface Name {
  readonly bytes: Uint8Array;
  readonly value: number;
}

/** Names grouped by length: most lengths have a single name, so a lookup is one comparison. */
function names(list: readonly string[], numberOf: (name: string) => number): readonly (readonly Name[])[] {
  const byLength: Name[][] = [];
  for (const name of list) {
    byLength[name.length] ??= [];
    byLength[name.length]?.push({ bytes: ascii(name), value: numberOf(name) });
  }
  for (let length = 0; length < byLength.length; length++) byLength[length] ??= [];
  return byLength;
}

function lookUp(table: readonly (readonly Name[])[], bytes: Uint8Array, start: number, end: number): number {
  const candidates = table[end - start];
  if (candidates === undefined) return 0;
  for (const name of candidates) if (matches(bytes, start, end, name.bytes)) return name.value;
  return 0;
}

function ascii(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}
