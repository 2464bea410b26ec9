/** Limits the length of a line: long values are shortened and marked. */
import { inOneGo, isRecord, type Steps } from "@bough/session/text/index.js";
import { safeJson } from "../safe-json.js";

/** Bytes per line, including its newline. */
export const LINE_LIMIT = 1_000_000;
/** Values that are too long are cut to this, so that several fit on a page. */
export const CUT_TO = 100_000;

/**
 * Limits on characters of texts and keys, items of lists, fields of objects, and depth: tried from one that usually
 * suffices to one that always does.
 */
const STEPS = [
  { text: 50_000, items: 2000, fields: 2000, depth: 64 },
  { text: 5000, items: 300, fields: 300, depth: 32 },
  { text: 500, items: 50, fields: 100, depth: 16 },
  { text: 100, items: 10, fields: 50, depth: 8 },
  { text: 60, items: 3, fields: 24, depth: 5 },
  { text: 40, items: 2, fields: 24, depth: 3 },
] as const;
type Step = (typeof STEPS)[number];

/** Bytes of a value as it is sent. */
export function sizeOf(value: unknown): number {
  return Buffer.byteLength(safeJson(value));
}

/** The value if its JSON has at most `most` bytes; otherwise shortened to `to`, with a `cut` that says how long it is. */
export function shortened<Item>(value: Item, { most, to }: { readonly most: number; readonly to: number }): Item {
  const text = safeJson(value);
  if (Buffer.byteLength(text) <= most || !isRecord(value)) return value;
  const { length: characters } = text;
  for (const step of STEPS) {
    const short = { ...(copy(value, step, 0) as object), cut: { characters } };
    if (sizeOf(short) <= to) return short as unknown as Item;
  }
  return { cut: { characters } } as unknown as Item;
}

/** A line for the client. If it is too long, its content is shortened, and its `cut` says so. */
export function sendable(line: object): string {
  const text = safeJson(line);
  return Buffer.byteLength(text) < LINE_LIMIT ? text : inOneGo(shortLine(line, text.length));
}

/** The same in steps, for lines that are certainly too long: serializing all of it would block everything else. */
export function* longSendable(line: object): Steps<string> {
  return yield* shortLine(line, yield* jsonLength(line));
}

/** Whether the strings of a value alone exceed a line. Stops as soon as they do. */
export function isSurelyTooLong(value: unknown): boolean {
  const open: unknown[] = [value];
  let length = 0;
  while (open.length > 0 && length < LINE_LIMIT) {
    const one = open.pop();
    // Even the shortest value takes a character.
    length += typeof one === "string" ? one.length : 1;
    if (typeof one === "object" && one !== null) for (const field of Object.values(one)) open.push(field);
  }
  return length >= LINE_LIMIT;
}

function* shortLine(line: object, characters: number): Steps<string> {
  for (const step of STEPS) {
    const short = { ...(copy(line, step, -2) as object), cut: { characters } };
    yield;
    if (isSurelyTooLong(short)) continue;
    const text = safeJson(short);
    if (Buffer.byteLength(text) < LINE_LIMIT) return text;
    yield;
  }
  const { id } = line as { readonly id?: unknown };
  const error = { code: "internal", message: "The answer is too long to be sent" };
  return safeJson(
    id === undefined ? { event: { type: "notice", level: "error", message: error.message } } : { id, error },
  );
}

/** How many characters `safeJson` would write. */
function* jsonLength(whole: object): Steps<number> {
  const open: unknown[] = [whole];
  let length = 0;
  while (open.length > 0) {
    const value = open.pop();
    if (Array.isArray(value)) {
      length += 2 + Math.max(0, value.length - 1);
      for (const item of value) open.push(isWritten(item) ? item : null);
    } else if (isPlain(value)) {
      const fields = Object.entries(value).filter(([, field]) => isWritten(field));
      length += 2 + Math.max(0, fields.length - 1);
      for (const [key, field] of fields) {
        length += safeJson(key).length + 1;
        open.push(field);
      }
    } else length += safeJson(value).length;
    yield;
  }
  return length;
}

function isWritten(value: unknown): boolean {
  return value !== undefined && typeof value !== "function" && typeof value !== "symbol";
}

/** An object that serializes as its fields. */
function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null || "toJSON" in value) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function copy(value: unknown, step: Step, depth: number): unknown {
  if (typeof value === "string") return shortText(value, step.text);
  if (typeof value !== "object" || value === null) return value;
  // Serializes as something else, such as a date.
  if ("toJSON" in value && typeof value.toJSON === "function") return value.toJSON();
  if (Array.isArray(value)) {
    return depth >= step.depth ? [] : value.slice(0, step.items).map((item) => copy(item, step, depth + 1));
  }
  if (depth >= step.depth) return {};
  const short: Record<string, unknown> = {};
  let fields = 0;
  for (const [key, field] of Object.entries(value)) {
    if (++fields > step.fields) break;
    short[shortText(key, step.text)] = copy(field, step, depth + 1);
  }
  return short;
}

function shortText(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = endOf(text, most);
  return `${text.slice(0, end)}… [${text.length - end} more characters]`;
}

/** Not in the middle of a surrogate pair. */
function endOf(text: string, most: number): number {
  const code = text.charCodeAt(most - 1);
  return code >= 0xd800 && code <= 0xdbff ? most - 1 : most;
}

export interface TextPart {
  readonly total: number;
  readonly offset: number;
  readonly next: number | null;
  readonly text: string;
}

/** A character takes at most six bytes. */
const PART = Math.floor((LINE_LIMIT - 1000) / 6 / 2) * 2;

/** A piece of a value's JSON; all pieces joined are the whole. */
export function partOf(value: unknown, offset: number): TextPart {
  const whole = JSON.stringify(value) ?? "null";
  const end = offset + PART >= whole.length ? whole.length : Math.max(offset + 1, endOf(whole, offset + PART));
  const text = whole.slice(offset, end);
  return { total: whole.length, offset, next: end < whole.length ? end : null, text };
}
