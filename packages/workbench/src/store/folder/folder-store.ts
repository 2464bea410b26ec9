/**
 * A store in a folder that something else syncs: Syncthing, a network drive, a USB stick. Each replica writes only its
 * own files, and those only grow, so files may arrive late, incomplete and in any order.
 *
 *     bough-store.json
 *     replicas/<replica>.json                    its name
 *     sessions/<session>/<replica>.jsonl         lines that it was the first to have
 *     sessions/<session>/<replica>.about.json    project, title, folder
 *     sessions/<session>/removed.json            it was removed on purpose
 *     blobs/<replica>/<2 hex>/<rest>             contents of files
 */
import { existsSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { namesIn, readNames, readTextFile, writeWhole } from "@bough/session/log/index.js";
import { defined, jsonObject } from "@bough/session/text/index.js";
import { cursorOf, isSameMark, type Mark, type Marks, marksIn } from "../file-cursor.js";
import { aboutIn, nameOfSession, sessionOfName } from "../session-about.js";
import { withSessionLock } from "../session-lock.js";
import type {
  ListFilter,
  PulledLines,
  PushOptions,
  PushOutcome,
  Replica,
  SessionAbout,
  Store,
  StoreBlobs,
  StoredSession,
  StoreHit,
  StoreSearch,
} from "../store.js";
import { StoreError, sessionRemoved } from "../store-error.js";
import { lineHash } from "../stored-line.js";
import { folderBlobs } from "./folder-blobs.js";
import { folderError } from "./folder-error.js";
import { appendLines, endOf, isFile, isUnchangedTo, modifiedAt, readLines } from "./line-file.js";

const MARKER = "bough-store.json";
const VERSION = 1;
const PIECE_BYTES = 4 << 20;
const POLL_MS = 500;

export interface FolderStoreOptions {
  readonly folder: string;
  readonly replica: Replica;
  /** `$BOUGH_HOME`: programs that share it push one at a time. */
  readonly home?: string;
  /** Runs a search, which a folder cannot do by itself. */
  readonly search: (store: Store, query: StoreSearch) => Promise<readonly StoreHit[]>;
  readonly pollMs?: number;
}

/** A store in a folder that something else syncs. `init` creates one, `open` opens it. */
export class FolderStore implements Store {
  readonly kind = "folder";
  readonly address: string;
  readonly replica: Replica;
  readonly blobs: StoreBlobs;
  readonly #options: FolderStoreOptions;
  /** Hashes of the lines of a session, and how far its files have been read for them. */
  readonly #known = new Map<string, { readonly hashes: Set<string>; readonly marks: Map<string, Mark> }>();

  private constructor(options: FolderStoreOptions) {
    this.#options = options;
    this.address = options.folder;
    this.replica = options.replica;
    this.blobs = folderBlobs(join(options.folder, "blobs"), options.replica);
  }

  /** Turns a folder into a store. An existing store stays as it is. */
  static init(folder: string): void {
    const marker = join(folder, MARKER);
    if (existsSync(marker)) return;
    try {
      writeWhole(marker, [`${JSON.stringify({ bough: "store", v: VERSION })}\n`], {
        existing: "replace",
        durable: true,
      });
    } catch (error) {
      throw folderError(error, folder);
    }
  }

  static open(options: FolderStoreOptions): FolderStore {
    const { folder } = options;
    const read = readTextFile(join(folder, MARKER));
    if (read.kind !== "text") {
      throw new StoreError("store-not-set-up", `No store in ${folder}`, {
        hint: `Create one with: bough store init ${folder}. If it is on a network drive or a USB stick, check that it is mounted.`,
      });
    }
    const marker = jsonObject(read.text);
    if (marker?.bough !== "store") throw new StoreError("store-damaged", `${join(folder, MARKER)} is not a store file`);
    if (typeof marker.v !== "number" || marker.v > VERSION) {
      throw new StoreError("store-newer", `A newer version of Bough set up ${folder}`, { hint: "Update Bough." });
    }
    return new FolderStore(options);
  }

  async list({ project }: ListFilter = {}): Promise<readonly StoredSession[]> {
    return this.#guard(() => {
      const names = readNames(join(this.address, "sessions"));
      const found = names.flatMap((name) => this.#session(sessionOfName(name)) ?? []);
      return found.filter((one) => project === undefined || one.project === project);
    });
  }

  async head(sessionId: string): Promise<StoredSession | undefined> {
    return this.#guard(() => this.#session(sessionId));
  }

  async push(sessionId: string, lines: readonly Uint8Array[], options: PushOptions = {}): Promise<PushOutcome> {
    return this.#oneAtATime(sessionId, () => {
      this.#refuseRemoved(sessionId);
      this.#introduce(sessionId, options);
      const known = this.#hashesOf(sessionId);
      const fresh = lines.filter((line) => {
        const hash = lineHash(line);
        if (known.has(hash)) return false;
        known.add(hash);
        return true;
      });
      const since = marksIn(options.since);
      const name = `${this.replica.id}.jsonl`;
      if (fresh.length === 0) return { added: 0 };
      try {
        const { start, end } = appendLines(join(this.#folderOf(sessionId), name), fresh);
        if (end === undefined) this.#known.delete(sessionId);
        else this.#known.get(sessionId)?.marks.set(name, end);
        const follows = end !== undefined && isSameMark(since[name], start);
        if (!follows) return { added: fresh.length };
        const now = { ...since, [name]: end };
        const isAlone = this.#lineFiles(sessionId).every((one) => isSameMark(now[one], this.#endOf(sessionId, one)));
        return { added: fresh.length, cursor: cursorOf(now), ...(isAlone ? { isAlone } : {}) };
      } catch (error) {
        // Part of it may have been written: forget what is known, so that the files are read again.
        this.#known.delete(sessionId);
        throw error;
      }
    });
  }

  async *pull(sessionId: string, cursor?: string): AsyncGenerator<PulledLines> {
    // Another machine's lines may arrive late.
    if (this.#guardNow(() => this.#isRemoved(sessionId))) return;
    const folder = this.#folderOf(sessionId);
    const { names, marks, lost } = this.#guardNow(() => this.#readFrom(sessionId, marksIn(cursor)));
    const cursorNow = () => cursorOf(Object.fromEntries(marks));
    // Report the loss even if there is nothing new to read.
    if (lost) yield { lines: [], cursor: cursorNow(), lost };
    for (const name of names) {
      const replica = this.#replicaOf(name);
      for (;;) {
        const from = marks.get(name);
        const { lines, end } = this.#guardNow(() => readLines(join(folder, name), from, PIECE_BYTES));
        if (isSameMark(from, end)) break;
        marks.set(name, end);
        yield { lines: lines.map((bytes) => ({ bytes, replica })), cursor: cursorNow() };
      }
    }
  }

  /**
   * The most recently written file comes last, so that a full pull ends where that replica left off. A file that was
   * replaced since it was read is read again from the start; it, or a file that is gone, may have lost lines.
   */
  #readFrom(sessionId: string, known: Marks) {
    const folder = this.#folderOf(sessionId);
    const written = (name: string) => modifiedAt(join(folder, name));
    const names = this.#lineFiles(sessionId).toSorted((a, b) => written(a) - written(b));
    const marks = new Map(Object.entries(known).filter(([name, mark]) => isUnchangedTo(join(folder, name), mark)));
    const lost = marks.size < Object.keys(known).length && !this.#isRemoved(sessionId);
    return { names, marks, lost };
  }

  async *follow(sessionId: string | undefined, signal: AbortSignal): AsyncGenerator<StoredSession> {
    const look = async () => (sessionId === undefined ? this.list() : [await this.head(sessionId)]);
    const seen = new Map<string, string>();
    for (const one of await look()) if (one !== undefined) seen.set(one.id, one.cursor);
    for (;;) {
      await wait(this.#options.pollMs ?? POLL_MS, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      for (const one of await look()) {
        if (one === undefined || seen.get(one.id) === one.cursor) continue;
        seen.set(one.id, one.cursor);
        yield one;
      }
    }
  }

  search(query: StoreSearch): Promise<readonly StoreHit[]> {
    return this.#options.search(this, query);
  }

  async remove(sessionId: string): Promise<void> {
    this.#guardNow(() => {
      const folder = this.#folderOf(sessionId);
      writeWhole(join(folder, "removed.json"), [`${JSON.stringify({ by: this.replica.id })}\n`], {
        existing: "replace",
        durable: true,
      });
      // A title may be what should not have been shared.
      const abouts = namesIn(folder).filter((name) => name.endsWith(".about.json"));
      for (const name of [...this.#lineFiles(sessionId), ...abouts]) rmSync(join(folder, name), { force: true });
      this.#known.delete(sessionId);
    });
  }

  async readmit(sessionId: string): Promise<void> {
    this.#guardNow(() => rmSync(join(this.#folderOf(sessionId), "removed.json"), { force: true }));
  }

  async close(): Promise<void> {
    this.#known.clear();
  }

  #session(id: string): StoredSession | undefined {
    const folder = this.#folderOf(id);
    const names = this.#lineFiles(id);
    const removed = this.#isRemoved(id);
    if (names.length === 0 && !removed) return undefined;
    const marks: Record<string, Mark> = {};
    let updated = 0;
    for (const name of names) {
      const path = join(folder, name);
      marks[name] = endOf(path);
      updated = Math.max(updated, modifiedAt(path));
    }
    return {
      id,
      cursor: cursorOf(marks),
      replicas: names.map((name) => this.#replicaOf(name)),
      ...(updated === 0 ? {} : { updated: new Date(updated) }),
      ...this.#aboutOf(folder),
      ...(removed ? { removed } : {}),
    };
  }

  #endOf(sessionId: string, name: string): Mark {
    return endOf(join(this.#folderOf(sessionId), name));
  }

  /** Includes conflict copies made by a sync tool: their lines belong to the session. */
  #lineFiles(sessionId: string): readonly string[] {
    const folder = this.#folderOf(sessionId);
    return namesIn(folder)
      .filter((name) => name.endsWith(".jsonl") && !name.startsWith(".") && isFile(join(folder, name)))
      .sort();
  }

  #folderOf(sessionId: string): string {
    return join(this.address, "sessions", nameOfSession(sessionId));
  }

  #replicaOf(name: string): Replica {
    const id = /^[0-9a-f]{16}/.exec(name)?.[0] ?? basename(name, ".jsonl");
    if (id === this.replica.id) return this.replica;
    const { name: said } = objectIn(join(this.address, "replicas", `${id}.json`));
    return { id, name: typeof said === "string" ? said : id };
  }

  #aboutOf(folder: string): SessionAbout {
    const names = namesIn(folder).filter((name) => name.endsWith(".about.json"));
    return Object.assign({}, ...names.map((name) => aboutIn(objectIn(join(folder, name))))) as SessionAbout;
  }

  /** Writes the names of this replica and of the session if they are missing or have changed. */
  #introduce(sessionId: string, { project, title, cwd }: SessionAbout): void {
    writeIfChanged(join(this.address, "replicas", `${this.replica.id}.json`), { name: this.replica.name });
    const file = join(this.#folderOf(sessionId), `${this.replica.id}.about.json`);
    const said = { project: project || undefined, title: title || undefined, cwd: cwd || undefined };
    const about = { ...aboutIn(objectIn(file)), ...defined(said) };
    if (Object.keys(about).length > 0) writeIfChanged(file, about);
  }

  #refuseRemoved(sessionId: string): void {
    if (this.#isRemoved(sessionId)) throw sessionRemoved(sessionId, this.address);
  }

  #isRemoved(sessionId: string): boolean {
    return existsSync(join(this.#folderOf(sessionId), "removed.json"));
  }

  #hashesOf(sessionId: string): Set<string> {
    let known = this.#known.get(sessionId);
    const isOther = ([name, mark]: readonly [string, Mark]) =>
      !isUnchangedTo(join(this.#folderOf(sessionId), name), mark);
    // Another machine removed the session, or a sync tool restored another version: known lines may be missing now.
    if (known === undefined || [...known.marks].some(isOther)) {
      known = { hashes: new Set(), marks: new Map() };
      this.#known.set(sessionId, known);
    }
    for (const name of this.#lineFiles(sessionId)) {
      const path = join(this.#folderOf(sessionId), name);
      const { lines, end } = readLines(path, known.marks.get(name), Number.POSITIVE_INFINITY);
      for (const line of lines) known.hashes.add(lineHash(line));
      known.marks.set(name, end);
    }
    return known.hashes;
  }

  async #guard<T>(work: () => T): Promise<T> {
    return this.#guardNow(work);
  }

  /** Programs of one home append to the same file: none may write between another one's reading and writing. */
  #oneAtATime<T>(sessionId: string, work: () => T): Promise<T> {
    const { home } = this.#options;
    if (home === undefined) return this.#guard(work);
    return withSessionLock({ home, sessionId, what: "push", to: this.address }, () => this.#guard(work));
  }

  #guardNow<T>(work: () => T): T {
    if (!existsSync(join(this.address, MARKER))) {
      throw new StoreError("store-unreachable", `The store is gone: ${this.address}`, {
        hint: "If it is on a network drive or a USB stick, check that it is mounted.",
      });
    }
    try {
      return work();
    } catch (error) {
      throw folderError(error, this.address);
    }
  }
}

/** Empty if there is no such file, or no object in it. */
function objectIn(file: string): Readonly<Record<string, unknown>> {
  const read = readTextFile(file);
  return (read.kind === "text" ? jsonObject(read.text) : undefined) ?? {};
}

function writeIfChanged(file: string, value: object): void {
  const text = `${JSON.stringify(value)}\n`;
  const read = readTextFile(file);
  if (read.kind === "text" && read.text === text) return;
  writeWhole(file, [text], { existing: "replace", durable: false });
}
