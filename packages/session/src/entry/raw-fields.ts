import { attempt } from "../text/index.js";
/**
 * The top-level fields of a JSON object as spans of its text.
 *
 * Lines are edited as text, never parsed and reserialized: `1e-05`, `12345678901234567890`, `\u00e9` and double spaces
 * would change, and unknown fields must be preserved byte for byte.
 */
export interface RawField {
  /** Without quotes, escapes resolved. */
  readonly key: string;
  /** The whole `"key":value` pair. */
  readonly start: number;
  readonly end: number;
  readonly valueStart: number;
  readonly valueEnd: number;
}

/**
 * The fields of the object in `text`, in order and including duplicates; `undefined` if the text is not one
 * well-bracketed object.
 *
 * A byte order mark before the object and white space around it are allowed. Nested values are skipped, not checked:
 * use `JSON.parse` first. Depth costs memory, never the call stack.
 */
export function rawFields(text: string): readonly RawField[] | undefined {
  const fields: RawField[] = [];
  let at = skipBlanks(text, text.charCodeAt(0) === BYTE_ORDER_MARK ? 1 : 0);
  if (text.charCodeAt(at) !== OPEN_OBJECT) return undefined;
  at = skipBlanks(text, at + 1);
  if (text.charCodeAt(at) === CLOSE_OBJECT) return isBlankFrom(text, at + 1) ? fields : undefined;
  for (;;) {
    const start = at;
    const keyEnd = endOfString(text, start);
    const key = keyEnd < 0 ? undefined : decodedString(text.slice(start, keyEnd));
    if (key === undefined) return undefined;
    at = skipBlanks(text, keyEnd);
    if (text.charCodeAt(at) !== COLON) return undefined;
    const valueStart = skipBlanks(text, at + 1);
    const valueEnd = endOfValue(text, valueStart);
    if (valueEnd < 0) return undefined;
    fields.push({ key, start, end: valueEnd, valueStart, valueEnd });
    at = skipBlanks(text, valueEnd);
    const next = text.charCodeAt(at);
    if (next === CLOSE_OBJECT) return isBlankFrom(text, at + 1) ? fields : undefined;
    if (next !== COMMA) return undefined;
    at = skipBlanks(text, at + 1);
  }
}

/**
 * Changes the parent in a line: replaces the value of `parentId`, or adds the field after `id`. `text` must hold an
 * object.
 */
export function withParent(text: string, parentId: string | null): string {
  const fields = fieldsOf(text);
  const value = JSON.stringify(parentId);
  const id = fields.findLast((field) => field.key === "id");
  if (id === undefined || fields.some((field) => field.key === "parentId")) return withField(text, "parentId", value);
  return `${text.slice(0, id.end)},"parentId":${value}${text.slice(id.end)}`;
}

/**
 * Sets a field in a line to a value given as JSON text: in place if the field exists, otherwise as the last field.
 * `text` must hold an object.
 *
 * All occurrences of a duplicate key are replaced, so readers that use the first and readers that use the last agree.
 */
export function withField(text: string, key: string, rawJson: string): string {
  const fields = fieldsOf(text);
  let result = "";
  let copied = 0;
  for (const field of fields) {
    if (field.key !== key) continue;
    result += text.slice(copied, field.valueStart) + rawJson;
    copied = field.valueEnd;
  }
  if (copied > 0) return result + text.slice(copied);
  const last = fields.at(-1);
  const at = last?.end ?? text.indexOf("{") + 1;
  return `${text.slice(0, at)}${last === undefined ? "" : ","}${JSON.stringify(key)}:${rawJson}${text.slice(at)}`;
}

const BYTE_ORDER_MARK = 0xfeff;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** A number, `true`, `false` or `null`. */
const SCALAR = /[-+.0-9A-Za-z]+/y;

function fieldsOf(text: string): readonly RawField[] {
  const fields = rawFields(text);
  if (fields === undefined)
    throw new Error(`bug: a field was set on a line that is not an object: ${text.slice(0, 80)}`);
  return fields;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d) return at;
    at++;
  }
}

function isBlankFrom(text: string, from: number): boolean {
  return skipBlanks(text, from) === text.length;
}

/** The end of the value that starts at `start`, or -1. */
function endOfValue(text: string, start: number): number {
  const code = text.charCodeAt(start);
  if (code === QUOTE) return endOfString(text, start);
  if (code === OPEN_OBJECT || code === OPEN_ARRAY) return endOfNested(text, start);
  SCALAR.lastIndex = start;
  return SCALAR.test(text) ? SCALAR.lastIndex : -1;
}

/** The end of the string that starts at `start`, or -1. A quote after an odd number of backslashes is part of it. */
function endOfString(text: string, start: number): number {
  if (text.charCodeAt(start) !== QUOTE) return -1;
  for (let quote = text.indexOf('"', start + 1); quote >= 0; quote = text.indexOf('"', quote + 1)) {
    let before = quote - 1;
    while (text.charCodeAt(before) === BACKSLASH) before--;
    if ((quote - before) % 2 === 1) return quote + 1;
  }
  return -1;
}

function endOfNested(text: string, start: number): number {
  const closers: number[] = [];
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      const end = endOfString(text, at);
      if (end < 0) return -1;
      at = end - 1;
    } else if (code === OPEN_OBJECT) closers.push(CLOSE_OBJECT);
    else if (code === OPEN_ARRAY) closers.push(CLOSE_ARRAY);
    else if (code === CLOSE_OBJECT || code === CLOSE_ARRAY) {
      if (closers.pop() !== code) return -1;
      if (closers.length === 0) return at + 1;
    }
  }
  return -1;
}

function decodedString(quoted: string): string | undefined {
  if (!quoted.includes("\\")) return quoted.slice(1, -1);
  // An escape that JSON does not have: the text is not a JSON object.
  return attempt(() => JSON.parse(quoted) as string);
}
