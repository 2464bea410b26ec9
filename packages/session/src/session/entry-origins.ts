/**
 * Records which replica an entry came from. Lines are identical on every copy, so this is kept beside the session: in
 * an append-only file in `$BOUGH_HOME/stores/origins`. Losing it loses names, never a line.
 */
import { createHash } from "node:crypto";
import { appendFileSync, copyFileSync, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { makeFolder, readTextFile } from "../log/index.js";
import { isRecord, parsedJson } from "../text/index.js";
import { boughHome } from "./locations.js";

/** The machine, or the copy of the home folder on it, that an entry came from. A `Replica` is one. */
export interface Machine {
  readonly id: string;
  readonly name: string;
}

const MOST_BYTES = 256 << 20;

export class Origins {
  readonly #folder: string;
  readonly file: string;

  constructor(home: string, sessionId: string) {
    this.#folder = join(home, "stores", "origins");
    this.file = join(this.#folder, `${fileNameOf(sessionId)}.jsonl`);
  }

  /**
   * One write, with a line for each replica. Entries that a store attributes to this machine, `own`, are noted without
   * a name, because that attribution is not verified.
   */
  add(lines: readonly { readonly id: string; readonly replica: Machine }[], own?: string): void {
    const ids = new Map<string, { readonly replica: Machine; readonly ids: string[] }>();
    for (const { id, replica } of lines) {
      const one = ids.get(replica.id);
      if (one === undefined) ids.set(replica.id, { replica, ids: [id] });
      else one.ids.push(id);
    }
    if (ids.size === 0) return;
    const text = [...ids.values()]
      .map((one) => `${JSON.stringify(one.replica.id === own ? { returned: one.ids } : one)}\n`)
      .join("");
    makeFolder(this.#folder);
    appendFileSync(this.file, text, { mode: 0o600 });
  }

  /** By entry ID. A renamed replica has its latest name. */
  read(): ReadonlyMap<string, Machine> {
    const read = readTextFile(this.file, { limit: MOST_BYTES });
    const of = new Map<string, string>();
    const replicas = new Map<string, Machine>();
    if (read.kind !== "text") return new Map();
    for (const line of read.text.split("\n")) {
      const value = parsedJson(line);
      if (!isRecord(value) || !isRecord(value.replica) || !Array.isArray(value.ids)) continue;
      const { id, name } = value.replica;
      if (typeof id !== "string" || typeof name !== "string") continue;
      replicas.set(id, { id, name });
      for (const entry of value.ids) if (typeof entry === "string") of.set(entry, id);
    }
    return new Map([...of].map(([entry, id]) => [entry, replicas.get(id) as Machine]));
  }

  /** Every entry not known to be written on this machine, with the name of its origin. */
  readArrived(): ReadonlyMap<string, string> {
    const arrived = new Map<string, string>();
    const read = readTextFile(this.file, { limit: MOST_BYTES });
    if (read.kind === "absent") return arrived;
    if (read.kind === "unreadable") throw new Error(`${this.file}: ${read.reason}`);
    for (const line of read.text.split("\n")) {
      const value = parsedJson(line);
      if (!isRecord(value) || !Array.isArray(value.returned)) continue;
      for (const entry of value.returned) if (typeof entry === "string") arrived.set(entry, "a store");
    }
    for (const [entry, { name }] of this.read()) arrived.set(entry, name);
    return arrived;
  }
}

/** Reads the file again only if its size changed. */
export class OriginReader {
  readonly #origins: Origins;
  readonly #file: string;
  #size = -1;
  #known: ReadonlyMap<string, Machine> = new Map();

  constructor(home: string, sessionId: string) {
    this.#origins = new Origins(home, sessionId);
    this.#file = this.#origins.file;
  }

  read(): ReadonlyMap<string, Machine> {
    const size = statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0;
    if (size !== this.#size) this.#known = this.#origins.read();
    this.#size = size;
    return this.#known;
  }
}

/** The entries of a session that came from other machines, and the machine each came from. */
export function entryOrigins(home: string, sessionId: string): ReadonlyMap<string, Machine> {
  return new Origins(home, sessionId).read();
}

/**
 * Like `entryOrigins`, but names only, for callers that must be sure that this machine wrote an entry: entries that a
 * store attributes to this machine are included. Throws if the file exists but cannot be read.
 */
export function arrivedEntries(home: string, sessionId: string): ReadonlyMap<string, string> {
  return new Origins(home, sessionId).readArrived();
}

/** Gives a copy of a session the origins of the original. */
export function copyOrigins(from: string, to: string, home = boughHome()): void {
  const [source, target] = [new Origins(home, from).file, new Origins(home, to).file];
  if (existsSync(source) && !existsSync(target)) copyFileSync(source, target);
}

/** A session ID comes from a file that anyone may have written: reject path traversal. */
export function fileNameOf(sessionId: string): string {
  const safe = /^[A-Za-z0-9_-]{1,80}$/.test(sessionId);
  return safe ? sessionId : createHash("sha256").update(sessionId).digest("hex");
}
