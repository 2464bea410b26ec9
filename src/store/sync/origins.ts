/**
 * Which replica an entry came from. Lines are the same on every copy, so this is a fact beside the session: a file that
 * only grows, in `$BOUGH_HOME/stores/origins`. Losing it costs names, never a line.
 */
import { appendFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { makeFolder, readTextFile } from "../../log/index.js";
import { isRecord, parsedJson } from "../../text/index.js";
import type { Replica } from "../store.js";
import { fileNameOf } from "./sync-state.js";
import type { NewLine } from "./unite.js";

const MOST_BYTES = 256 << 20;

export class Origins {
  readonly #folder: string;
  readonly file: string;

  constructor(home: string, sessionId: string) {
    this.#folder = join(home, "stores", "origins");
    this.file = join(this.#folder, `${fileNameOf(sessionId)}.jsonl`);
  }

  /** One write. A line for each replica. */
  add(lines: readonly Pick<NewLine, "id" | "replica">[]): void {
    const ids = new Map<string, { readonly replica: Replica; readonly ids: string[] }>();
    for (const { id, replica } of lines) {
      const one = ids.get(replica.id);
      if (one === undefined) ids.set(replica.id, { replica, ids: [id] });
      else one.ids.push(id);
    }
    if (ids.size === 0) return;
    const text = [...ids.values()].map((one) => `${JSON.stringify(one)}\n`).join("");
    makeFolder(this.#folder);
    appendFileSync(this.file, text, { mode: 0o600 });
  }

  /** By entry ID. A replica that was renamed has its last name. */
  read(): ReadonlyMap<string, Replica> {
    const read = readTextFile(this.file, { limit: MOST_BYTES });
    const of = new Map<string, string>();
    const replicas = new Map<string, Replica>();
    if (read.kind !== "text") return new Map();
    for (const line of read.text.split("\n")) {
      const value = parsedJson(line);
      if (!isRecord(value) || !isRecord(value.replica) || !Array.isArray(value.ids)) continue;
      const { id, name } = value.replica;
      if (typeof id !== "string" || typeof name !== "string") continue;
      replicas.set(id, { id, name });
      for (const entry of value.ids) if (typeof entry === "string") of.set(entry, id);
    }
    return new Map([...of].map(([entry, id]) => [entry, replicas.get(id) as Replica]));
  }
}

/** Reads the file again only if it has grown. */
export class OriginReader {
  readonly #origins: Origins;
  readonly #file: string;
  #size = -1;
  #known: ReadonlyMap<string, Replica> = new Map();

  constructor(home: string, sessionId: string) {
    this.#origins = new Origins(home, sessionId);
    this.#file = this.#origins.file;
  }

  read(): ReadonlyMap<string, Replica> {
    const size = statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0;
    if (size !== this.#size) this.#known = this.#origins.read();
    this.#size = size;
    return this.#known;
  }
}

/** Entries of a session that came from other machines, and from which. Empty if none did. */
export function entryOrigins(home: string, sessionId: string): ReadonlyMap<string, Replica> {
  return new Origins(home, sessionId).read();
}
