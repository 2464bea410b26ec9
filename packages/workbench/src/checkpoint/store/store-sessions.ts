/** Which session files name contents of a store: those in the usual folders, and those opened elsewhere. */
import { createReadStream, existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { FILES_TYPE } from "@bough/session/entry/index.js";
import { changeFile, readTextFile } from "@bough/session/log/index.js";
import { isRecord, parsedJson } from "@bough/session/text/index.js";

function listFile(store: string): string {
  return join(store, "sessions.json");
}

/** Remembers that a session records into this store. Call it before its first record. */
export function registerSession(store: string, file: string): void {
  changeFile(listFile(store), (before) => {
    const known = pathsIn(before);
    return known.includes(file) ? before : `${JSON.stringify({ sessions: [...known, file] }, null, 2)}\n`;
  });
}

/** Registered sessions: those that exist, and those that may still exist because their whole folder is missing. */
export function sessionsOf(store: string): { readonly there: readonly string[]; readonly away: readonly string[] } {
  const read = readTextFile(listFile(store));
  if (read.kind === "unreadable") throw new Error(`${listFile(store)}: ${read.reason}`);
  const files = pathsIn(read.kind === "text" ? read.text : undefined);
  return {
    there: files.filter((file) => existsSync(file)),
    away: files.filter((file) => !existsSync(file) && !existsSync(dirname(file))),
  };
}

/** Forgets sessions whose whole folder is missing. */
export function forgetMissing(store: string): void {
  const { away } = sessionsOf(store);
  changeFile(listFile(store), (before) => {
    const kept = pathsIn(before).filter((file) => !away.includes(file));
    return before === undefined ? before : `${JSON.stringify({ sessions: kept }, null, 2)}\n`;
  });
}

/**
 * The registered sessions that exist. Throws if one may exist out of sight because its whole folder is missing, as on a
 * disk that is not mounted.
 */
export function registeredSessions(store: string): readonly string[] {
  const { there, away } = sessionsOf(store);
  const [missing] = away;
  if (missing !== undefined) throw new Error(`${dirname(missing)} is missing`);
  return there;
}

function pathsIn(text: string | undefined): readonly string[] {
  const value = text === undefined ? undefined : parsedJson(text);
  if (text !== undefined && !isRecord(value)) throw new Error("the list of sessions is damaged");
  const sessions = isRecord(value) ? value.sessions : [];
  return Array.isArray(sessions) ? sessions.filter((path) => typeof path === "string") : [];
}

const MARK = Buffer.from(JSON.stringify(FILES_TYPE));

const PIECE_BYTES = 1 << 20;

/**
 * The data of each checkpoint in a session file; undefined for a damaged line. Searches bytes and parses only matching
 * lines. Reads in pieces, and lets other work run in between.
 */
export async function* checkpointsIn(file: string): AsyncGenerator<unknown> {
  for await (const bytes of wholeLines(file)) {
    for (let at = bytes.indexOf(MARK); at >= 0; ) {
      const from = bytes.lastIndexOf(10, at) + 1;
      const newline = bytes.indexOf(10, at);
      const to = newline < 0 ? bytes.length : newline;
      const entry = parsedJson(bytes.subarray(from, to).toString());
      // A damaged line could have named anything.
      if (entry === undefined) yield undefined;
      else if (isRecord(entry) && entry.customType === FILES_TYPE) yield entry.data;
      at = bytes.indexOf(MARK, to);
    }
  }
}

/** A file in pieces that end at line breaks. */
async function* wholeLines(file: string): AsyncGenerator<Buffer> {
  let open: Buffer[] = [];
  for await (const piece of createReadStream(file, { highWaterMark: PIECE_BYTES }) as AsyncIterable<Buffer>) {
    const end = piece.lastIndexOf(10) + 1;
    if (end > 0) {
      yield Buffer.concat([...open, piece.subarray(0, end)]);
      open = [];
    }
    if (end < piece.length) open.push(piece.subarray(end));
  }
  if (open.length > 0) yield Buffer.concat(open);
}
