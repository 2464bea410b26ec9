/** What a list shows of a session. */
import { closeSync, openSync, readSync } from "node:fs";
import { type AgentMessage, Kind, parseRecord, type SessionEntry, type SessionHeader } from "../entry/index.js";
import { branchCount } from "../tree/index.js";
import type { SessionFileStat } from "./most-recent.js";
import { openLog } from "./open-log.js";
import { SessionStore } from "./session-store.js";

export interface SessionInfo {
  readonly path: string;
  readonly id: string;
  readonly cwd: string;
  readonly parentSession: string | undefined;
  /** Undefined where it has none, or where it is not near the start or the end of a large file: see `exact`. */
  readonly name: string | undefined;
  readonly created: Date;
  /** Time of the last entry; of the file where that cannot be read. */
  readonly modified: Date;
  /** Bytes. */
  readonly size: number;
  /** First words of the first prompt, or "". */
  readonly firstMessage: string;
  /** Undefined until counted: see `exactSessionInfo`. */
  readonly messageCount: number | undefined;
  readonly branchCount: number | undefined;
  /** Whether name and counts are certain. Small files are read whole and always are. */
  readonly exact: boolean;
}

/** How much of each end of a file is read. */
const END = 1 << 15;
const FIRST_WORDS = 400;

/** What the ends of a file tell; undefined where it is no session, or cannot be read. */
export function sessionInfo(file: SessionFileStat): SessionInfo | undefined {
  const ends = readEnds(file);
  if (ends === undefined) return undefined;
  const head = recordsIn(ends.head);
  if (head.header === undefined) return undefined;
  const { header } = head;
  const tail = recordsIn(ends.tail);
  // Where the last line is longer than what was read, an entry near the start says nothing about the end.
  const last = file.size <= END ? head.entries.at(-1) : tail.entries.at(-1);
  const info: SessionInfo = {
    path: file.path,
    id: header.id,
    cwd: typeof header.cwd === "string" ? header.cwd : "",
    parentSession: typeof header.parentSession === "string" ? header.parentSession : undefined,
    name: nameIn(tail.entries) ?? nameIn(head.entries) ?? head.title ?? titleOf(header),
    created: timeOf(header.timestamp) ?? new Date(file.modifiedMs),
    modified: timeOf(last?.timestamp) ?? new Date(file.modifiedMs),
    size: file.size,
    firstMessage: firstPrompt(head.entries) ?? promptInCutLine(ends.head),
    messageCount: undefined,
    branchCount: undefined,
    exact: false,
  };
  if (file.size > END) return info;
  try {
    return exactSessionInfo(info);
  } catch {
    // Gone since its bytes were read: they were a session, and told enough for a list.
    return info;
  }
}

/** The same with name and counts from the whole file. Reads bytes, parses only what it must. */
export function exactSessionInfo(info: SessionInfo): SessionInfo {
  const { log } = openLog(info.path, { access: "read" });
  try {
    const header = { type: "session", id: info.id, timestamp: info.created.toISOString(), cwd: info.cwd } as const;
    const store = new SessionStore(log, { header, now: () => info.modified });
    let messageCount = 0;
    for (let n = 0; n < store.tree.count; n++) if (store.tree.kindOf(n) === Kind.message) messageCount += 1;
    return { ...info, name: store.name(), messageCount, branchCount: branchCount(store.tree), exact: true };
  } finally {
    log.close();
  }
}

function readEnds(file: SessionFileStat): { readonly head: string; readonly tail: string } | undefined {
  let fd: number;
  try {
    fd = openSync(file.path, "r");
  } catch {
    // Gone since the folder was read, or not ours to read: a list leaves it out.
    return undefined;
  }
  try {
    const head = readText(fd, 0, END);
    if (file.size <= END) return { head, tail: "" };
    const start = Math.max(END, file.size - END);
    const tail = readText(fd, start, file.size - start);
    return { head, tail: tail.slice(tail.indexOf("\n") + 1) };
  } catch {
    // The disk does not give the bytes: `open` says so to whoever wants this very session.
    return undefined;
  } finally {
    closeSync(fd);
  }
}

function readText(fd: number, offset: number, length: number): string {
  const bytes = Buffer.allocUnsafe(length);
  return bytes.toString("utf8", 0, readSync(fd, bytes, 0, length, offset));
}

interface Records {
  header: SessionHeader | undefined;
  title: string | undefined;
  readonly entries: SessionEntry[];
}

function recordsIn(text: string): Records {
  const records: Records = { header: undefined, title: undefined, entries: [] };
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const record = parseRecord(line);
    if (record.kind === "header") records.header ??= record.header;
    else if (record.kind === "title") records.title = nonEmpty(record.title.title);
    else if (record.kind === "entry") records.entries.push(record.entry);
    else records.entries.push(...looseEntry(line));
  }
  return records;
}

/** Version 1 entries have no id: for a list their type, time and message are enough. */
function looseEntry(line: string): SessionEntry[] {
  try {
    const value: unknown = JSON.parse(line);
    const isEntry =
      typeof value === "object" && value !== null && typeof (value as { type?: unknown }).type === "string";
    return isEntry ? [value as SessionEntry] : [];
  } catch {
    // A line cut by the edge of what was read, or damage: `verifySession` is the place to learn about that.
    return [];
  }
}

function nameIn(entries: readonly SessionEntry[]): string | undefined {
  for (let i = entries.length - 1; i >= 0; i--) {
    const entry = entries[i] as { type: string; name?: unknown; title?: unknown };
    if (entry.type === "session_info" && nonEmpty(entry.name)) return nonEmpty(entry.name);
    if (entry.type === "title_change" && nonEmpty(entry.title)) return nonEmpty(entry.title);
  }
  return undefined;
}

function titleOf(header: SessionHeader): string | undefined {
  return nonEmpty((header as { title?: unknown }).title);
}

function firstPrompt(entries: readonly SessionEntry[]): string | undefined {
  for (const entry of entries) {
    if (entry.type !== "message" || entry.message?.role !== "user") continue;
    const text = textOf(entry.message);
    if (text !== "") return shortened(text);
  }
  return undefined;
}

/** The first prompt where its line is longer than what was read: as much of its text as there is. */
function promptInCutLine(head: string): string {
  const at = head.indexOf('"role":"user"');
  const text = at < 0 ? undefined : /"(?:text|content)":"((?:[^"\\]|\\.){1,2000})/.exec(head.slice(at))?.[1];
  if (text === undefined) return "";
  try {
    return shortened(JSON.parse(`"${text}"`) as string);
  } catch {
    // The cut went through an escape: the raw text is still better than nothing.
    return shortened(text);
  }
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

function timeOf(timestamp: unknown): Date | undefined {
  if (typeof timestamp !== "string") return undefined;
  const time = new Date(timestamp);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

function nonEmpty(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}
