/** What the records at either end of a session file say about the session: name, first prompt, times, origin. */
import {
  type AgentMessage,
  Kind,
  parseRecord,
  Role,
  type SessionEntry,
  type SessionHeader,
} from "../../entry/index.js";
import { newRecordScan, Scan, scanRecord } from "../../entry/internal.js";
import { jsonObject, parsedJson } from "../../text/index.js";
import { nonEmpty } from "../session-name.js";

const FIRST_WORDS = 400;

/** The session of another program that a session was imported from, as recorded in its header. */
export interface ImportedFrom {
  readonly agent: string;
  readonly id: string;
  readonly path: string;
}

/** The facts found in one end of a file. */
interface EndFacts {
  readonly header: SessionHeader | undefined;
  /** oh-my-pi's title line. */
  readonly title: string | undefined;
  /** The last name given. */
  readonly name: string | undefined;
  /** The start of the first prompt. */
  readonly prompt: string | undefined;
}

/**
 * Parses only the lines that are needed; for most, their first bytes show that they are not. Lines cut off at either
 * edge are skipped.
 */
export function endFacts(bytes: Buffer): EndFacts {
  const scan = newRecordScan();
  let header: SessionHeader | undefined;
  let title: string | undefined;
  let name: string | undefined;
  let prompt: string | undefined;
  for (const [start, end] of linesOf(bytes)) {
    const scanned = scanRecord(bytes, start, end, scan);
    const isPrompt = scan.kind === Kind.message && scan.role === Role.user && prompt === undefined;
    if (scanned === Scan.entry && !isPrompt && scan.kind !== Kind.sessionInfo) continue;
    const line = bytes.toString("utf8", start, end);
    const record = parseRecord(line);
    if (record.kind === "header") header ??= record.header;
    else if (record.kind === "title") title = nonEmpty(record.title.title) ?? title;
    else {
      const entry = record.kind === "entry" ? record.entry : looseEntry(line);
      prompt ??= promptOf(entry);
      name = nameOf(entry) ?? name;
    }
  }
  return { header, title, name, prompt };
}

const NEWLINE = 0x0a;

function* linesOf(bytes: Buffer): Generator<readonly [start: number, end: number]> {
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline < 0 ? bytes.length : newline;
    if (end > start) yield [start, end];
    start = end + 1;
  }
}

const BRACE = 0x7d;
const FIRST_BYTES = 512;
/** The time in the first bytes of an entry, with the fields in the order that every writer of this format uses. */
const TIME = /^\{"type":"(?!session")\w+","id":"[^"\\]+","parentId":(?:null|"[^"\\]*"),"timestamp":"([^"\\]*)"/;

/** What a sync writes after entries of other machines, so that the leaf stays: its time is not one of activity. */
const SYNC_RECORD =
  /^\{"type":"custom","id":"[^"\\]+","parentId":(?:null|"[^"\\]*"),"timestamp":"[^"\\]*","customType":"bough\.position","data":\{"cause":"sync"/;

/**
 * The time of the last readable entry: the very last line may be torn. After a sync, entries of other machines are last
 * in the file and may be older than those before them; then the newest time counts.
 */
export function lastTime(bytes: Buffer): Date | undefined {
  let end = bytes.at(-1) === NEWLINE ? bytes.length - 1 : bytes.length;
  let isSynced = false;
  let newest: Date | undefined;
  while (end > 0) {
    const start = bytes.lastIndexOf(NEWLINE, end - 1) + 1;
    const isWhole = bytes[end] === NEWLINE && bytes[end - 1] === BRACE;
    const first = isWhole ? bytes.toString("latin1", start, Math.min(end, start + FIRST_BYTES)) : "";
    const quick = TIME.exec(first);
    if (SYNC_RECORD.test(first)) isSynced = true;
    else if (!isSynced && quick !== null) return timeOf(quick[1]);
    else if (quick !== null) newest = later(newest, timeOf(quick[1]));
    else if (newest === undefined) {
      const line = bytes.toString("utf8", start, end);
      const record = parseRecord(line);
      const entry = record.kind === "entry" ? record.entry : record.kind === "bad" ? looseEntry(line) : undefined;
      if (entry !== undefined && !isSynced) return timeOf(entry.timestamp);
      newest = timeOf(entry?.timestamp);
    }
    end = start - 1;
  }
  return newest;
}

function later(a: Date | undefined, b: Date | undefined): Date | undefined {
  return a === undefined || (b !== undefined && b > a) ? b : a;
}

/** Version 1 entries have no ID; for a list, their type, time and message are enough. */
function looseEntry(line: string): SessionEntry | undefined {
  // A line cut off at the edge, or damaged: `verifySession` reports damage.
  const value = jsonObject(line);
  return typeof value?.type === "string" ? (value as unknown as SessionEntry) : undefined;
}

function nameOf(entry: SessionEntry | undefined): string | undefined {
  const { type, name, title } = (entry ?? {}) as { type?: unknown; name?: unknown; title?: unknown };
  if (type === "session_info") return nonEmpty(name);
  return type === "title_change" ? nonEmpty(title) : undefined;
}

export function titleOf(header: SessionHeader): string | undefined {
  return nonEmpty((header as { title?: unknown }).title);
}

export function importedFrom(header: SessionHeader): ImportedFrom | undefined {
  const from = (header as { importedFrom?: unknown }).importedFrom;
  if (typeof from !== "object" || from === null) return undefined;
  const { agent, id, path } = from as Readonly<Record<string, unknown>>;
  const isWhole = typeof agent === "string" && typeof id === "string" && typeof path === "string";
  return isWhole ? { agent, id, path } : undefined;
}

function promptOf(entry: SessionEntry | undefined): string | undefined {
  if (entry?.type !== "message" || entry.message?.role !== "user") return undefined;
  const text = textOf(entry.message);
  return text === "" ? undefined : shortened(text);
}

/** The first prompt if its line is longer than the part read: as much of its text as there is. */
export function promptInCutLine(bytes: Buffer): string {
  const head = bytes.toString("utf8");
  const at = head.indexOf('"role":"user"');
  const text = at < 0 ? undefined : /"(?:text|content)":"((?:[^"\\]|\\.){1,2000})/.exec(head.slice(at))?.[1];
  if (text === undefined) return "";
  // The cut may split an escape sequence; the raw text is still better than nothing.
  return shortened((parsedJson(`"${text}"`) as string | undefined) ?? text);
}

function textOf(message: AgentMessage): string {
  const content: unknown = (message as { content?: unknown }).content;
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .map((block: { type?: unknown; text?: unknown }) => (typeof block?.text === "string" ? block.text : ""))
    .filter((text) => text !== "")
    .join(" ");
}

function shortened(text: string): string {
  return text
    .slice(0, FIRST_WORDS * 2)
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, FIRST_WORDS);
}

export function timeOf(timestamp: unknown): Date | undefined {
  if (typeof timestamp !== "string") return undefined;
  const time = new Date(timestamp);
  return Number.isNaN(time.getTime()) ? undefined : time;
}
