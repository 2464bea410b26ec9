/** The model calls that the lines of a session state, without parsing lines that say nothing about one. */
import { isRecord, parsedJson } from "../../text/index.js";

/** What an entry says about a model call. Any program may have written it, so the values are unchecked. */
export interface StatedCall {
  readonly type: string;
  /** Of the entry. */
  readonly timestamp: unknown;
  readonly provider: unknown;
  readonly model: unknown;
  readonly usage: Readonly<Record<string, unknown>>;
  readonly responseId: unknown;
  /** For a compaction: the size of the context before it. */
  readonly tokensBefore: unknown;
  /** The agent whose transcript the entry was imported from. */
  readonly importedFrom: unknown;
}

/** In a string the quotes would be escaped, so almost every line that contains this has it as a key. */
const KEY = Buffer.from('"usage"');
/** Long enough for the end of an answer. */
const TAIL = 1024;
const HEAD = 256;
/** A field with a string, a number, true, false or null. */
const PLAIN = String.raw`,"\w+":(?:"(?:[^"\\]|\\.)*"|[\w.+-]+)`;
/** An object of numbers, or of objects of numbers. */
const USAGE = String.raw`\{(?:[^{}"]|"[^"\\]*"|\{[^{}]*\})*\}`;
/** The start and the end of an answer as Bough and pi write it; `origin` or other fields make the pattern fail. */
const START = /^\{"type":"message","id":"[^"\\]*","parentId":(?:"[^"\\]*"|null),"timestamp":"([^"\\]*)","message":\{/;
const END = new RegExp(
  String.raw`"provider":"([^"\\]*)","model":"([^"\\]*)"((?:${PLAIN})*),"usage":(${USAGE}),"stopReason":"\w*"((?:${PLAIN})*)\}\}\s*$`,
);
const RESPONSE = /,"responseId":"((?:[^"\\]|\\.)*)"/;

/** The call that the line in `bytes[start..end)` states; undefined if it states none. */
export function callInLine(bytes: Buffer, start: number, end: number): StatedCall | undefined {
  const tail = END.exec(bytes.toString("latin1", Math.max(start, end - TAIL), end));
  const head = tail === null ? null : START.exec(bytes.toString("latin1", start, Math.min(end, start + HEAD)));
  const usage = head === null ? undefined : parsedJson(tail?.[4] ?? "");
  if (tail === null || head === null || !isRecord(usage)) {
    return bytes.subarray(start, end).includes(KEY)
      ? callInEntry(parsedJson(bytes.toString("utf8", start, end)))
      : undefined;
  }
  const [, provider, model, before, , after] = tail;
  return {
    type: "message",
    timestamp: head[1],
    provider,
    model,
    usage,
    responseId: RESPONSE.exec(`${before}${after}`)?.[1],
    tokensBefore: undefined,
    importedFrom: undefined,
  };
}

/** A message holds its usage itself; a summary or a `usage` record has it in the entry. */
export function callInEntry(entry: unknown): StatedCall | undefined {
  if (!isRecord(entry) || typeof entry.type !== "string") return undefined;
  const holder = entry.type === "message" ? entry.message : entry;
  if (!isRecord(holder) || !isRecord(holder.usage)) return undefined;
  const { provider, model, usage, responseId } = holder;
  const { type, timestamp, tokensBefore } = entry;
  const details = isRecord(entry.details) ? entry.details : {};
  const origin = isRecord(entry.origin) ? entry.origin : isRecord(details.origin) ? details.origin : {};
  return { type, timestamp, provider, model, usage, responseId, tokensBefore, importedFrom: origin.agent };
}
