/** No line is longer than a client can be expected to take: what is too long is shortened, and says so. */
import { isRecord } from "../../text/index.js";
import { safeJson } from "../safe-json.js";

/** Bytes of a line, its newline included. */
export const LINE_LIMIT = 1_000_000;
/** What is too long becomes at most this long, so that several fit on a page. */
export const CUT_TO = 100_000;

/** Characters of texts and keys, items of lists, fields of objects, and levels: from what helps in most cases to what always does. */
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

/** A line for the client. One that is too long is shortened in what it carries; its `cut` says so. */
export function sendable(line: object): string {
  const text = safeJson(line);
  if (Buffer.byteLength(text) < LINE_LIMIT) return text;
  const characters = text.length;
  for (const step of STEPS) {
    const short = safeJson({ ...(copy(line, step, -2) as object), cut: { characters } });
    if (Buffer.byteLength(short) < LINE_LIMIT) return short;
  }
  const { id } = line as { readonly id?: unknown };
  const error = { code: "internal", message: "The answer is too long to be sent" };
  return safeJson(
    id === undefined ? { event: { type: "notice", level: "error", message: error.message } } : { id, error },
  );
}

function copy(value: unknown, step: Step, depth: number): unknown {
  if (typeof value === "string") return shortText(value, step.text);
  if (typeof value !== "object" || value === null) return value;
  // A date, for example, is what its JSON is.
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

/** Not in the middle of a character. */
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

/** Six bytes is what a character takes at most. */
const PART = Math.floor((LINE_LIMIT - 1000) / 6 / 2) * 2;

/** A part of the JSON of a value: all parts joined are the whole. */
export function partOf(value: unknown, offset: number): TextPart {
  const whole = JSON.stringify(value) ?? "null";
  const end = offset + PART >= whole.length ? whole.length : Math.max(offset + 1, endOf(whole, offset + PART));
  const text = whole.slice(offset, end);
  return { total: whole.length, offset, next: end < whole.length ? end : null, text };
}
