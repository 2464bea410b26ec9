/**
 * Appends contents to one pack of this process. A content counts as stored only if the pack was still in place after
 * the write: a process that replaces a pack renames it first and then copies its contents.
 */
import { randomBytes } from "node:crypto";
import {
  appendFileSync,
  closeSync,
  constants,
  openSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { isLeftBehind, makeFolder, namesIn, OWNER_MARK, ownerMark } from "@bough/session/log/index.js";
import { attempt } from "@bough/session/text/index.js";
import { indexPath, type Pack, packPath } from "./pack.js";
import { indexPiece, seenAt } from "./pack-index.js";

/** A pack that has reached this many bytes is full. */
const FULL_BYTES = 64 * 1024 * 1024;
/** Write the index once this many contents are missing from it. */
const MOST_UNINDEXED = 2048;
/** How often to try another pack after a write was not found there; then the disk must be faulty. */
const MOST_TRIES = 10;
/** Files stay open this long after the last write. */
const REST_MS = 500;

interface Knowledge {
  /** Updates and returns all packs. */
  readonly all: () => readonly Pack[];
  readonly get: (id: string) => Pack | undefined;
  /** Closes other files that are only kept open for a while. */
  readonly rest: () => void;
}

interface Own {
  readonly pack: Pack;
  /** The end of the pack. */
  size: number;
  file: number | undefined;
  /** Rows missing from the index. */
  readonly unindexed: Set<number>;
}

/** Ownership files of the packs that this process appends to, or did; no other process does. */
const MINE = new Set<string>();
/** Writers with contents that are not indexed yet. */
const BUSY = new Set<PackWriter>();
let endsWithProcess = false;

const OWNER_NAME = new RegExp(`^([0-9a-f]{16})\\.(${OWNER_MARK})\\.own$`);

export class PackWriter {
  readonly #folder: string;
  readonly #packs: Knowledge;
  #own: Own | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Packs that must not be appended to. */
  #avoided: ReadonlySet<string> = new Set();

  constructor(folder: string, packs: Knowledge) {
    this.#folder = folder;
    this.#packs = packs;
  }

  /** Returns the pack that now has the content. `seen` is when it was last used, in seconds. */
  append(record: Buffer, { hash, seen }: { readonly hash: Buffer; readonly seen: number }): Pack {
    for (let failed = 0; failed < MOST_TRIES; failed++) {
      const own = this.#ready({ isNew: failed > 1 });
      const offset = own.size;
      try {
        for (let sent = 0; sent < record.length; ) sent += writeSync(own.file as number, record, sent);
      } catch (error) {
        // Readers skip a partly written record.
        this.leave();
        throw error;
      }
      const now = statSync(own.pack.path, { throwIfNoEntry: false });
      if (now?.ino === own.pack.inode && now.size === offset + record.length) {
        own.size = now.size;
        own.unindexed.add(own.pack.added(hash, { offset, length: record.length, seen }));
        if (own.unindexed.size >= MOST_UNINDEXED) this.#writeIndex(own);
        this.restLater();
        return own.pack;
      }
      this.leave();
    }
    throw new Error(`Data written to ${this.#folder} cannot be read back`);
  }

  /** Whether the current pack has an intact copy of a content. */
  has(hash: Buffer): boolean {
    const pack = this.#own?.pack;
    const n = pack?.table.find(hash) ?? -1;
    return pack !== undefined && n >= 0 && pack.isInPlace && pack.content(n) !== undefined;
  }

  /** Stops appending to packs that are about to be replaced. */
  avoid(ids: ReadonlySet<string>): void {
    this.#avoided = ids;
    if (this.#own !== undefined && ids.has(this.#own.pack.id)) this.leave();
  }

  /**
   * Continues in another pack, or in the same one after it was read again. With `id`, only if that is the current pack.
   */
  leave(id = this.#own?.pack.id): void {
    if (this.#own === undefined || this.#own.pack.id !== id) return;
    this.rest();
    this.#own = undefined;
  }

  /** Completes the index and closes the file; the next write opens it again. */
  rest(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    BUSY.delete(this);
    this.#packs.rest();
    const own = this.#own;
    if (own === undefined) return;
    this.#writeIndex(own);
    if (own.file !== undefined) closeSync(own.file);
    own.file = undefined;
  }

  restLater(): void {
    if (this.#timer !== undefined) {
      this.#timer.refresh();
      return;
    }
    this.#timer = setTimeout(() => this.rest(), REST_MS).unref();
    if (!endsWithProcess) process.on("exit", restAll);
    endsWithProcess = true;
    BUSY.add(this);
  }

  /** The current pack, open for appending. */
  #ready({ isNew }: { readonly isNew: boolean }): Own {
    const own = this.#own;
    if (own?.file !== undefined && own.size < FULL_BYTES) return own;
    if (own !== undefined && own.size < FULL_BYTES) {
      own.file = openToAppend(own.pack);
      // No other process appends to it, so its size cannot have changed.
      if (own.file !== undefined && statSync(own.pack.path, { throwIfNoEntry: false })?.size === own.size) return own;
    }
    this.leave();
    this.#own = (isNew ? undefined : this.#taken()) ?? this.#made();
    return this.#own;
  }

  /** Continues a pack whose owner has ended. */
  #taken(): Own | undefined {
    const packs = this.#packs.all();
    const owners = new Map(namesIn(this.#folder).flatMap((name) => ownerIn(name)));
    for (const pack of packs) {
      const mark = owners.get(pack.id);
      if (mark === undefined || pack.isOld || this.#avoided.has(pack.id)) continue;
      const isFull = (statSync(pack.path, { throwIfNoEntry: false })?.size ?? 0) >= FULL_BYTES;
      if (isFull && pack.index.to === pack.known) continue;
      if (!this.#take(pack.id, mark)) continue;
      const own = this.#continued(pack);
      if (own !== undefined && !isFull) return own;
      if (own?.file !== undefined) closeSync(own.file);
    }
    return undefined;
  }

  /** Takes over a pack. The rename lets only one process succeed. */
  #take(id: string, mark: string): boolean {
    const path = (owner: string) => join(this.#folder, `${id}.${owner}.own`);
    if (mark === ownerMark()) return MINE.has(path(mark));
    if (!isLeftBehind(mark)) return false;
    try {
      renameSync(path(mark), path(ownerMark()));
    } catch {
      return false;
    }
    MINE.add(path(ownerMark()));
    return true;
  }

  /** Also indexes what the last owner did not. */
  #continued(pack: Pack): Own | undefined {
    const file = openToAppend(pack);
    if (file === undefined) return undefined;
    // The last owner has ended, but may have written until then.
    if (!pack.update()) {
      closeSync(file);
      return undefined;
    }
    const unindexed = new Set<number>();
    const size = statSync(pack.path, { throwIfNoEntry: false })?.size ?? 0;
    const own = { pack, size, file, unindexed };
    if (pack.index.to < pack.known) {
      for (let n = 0; n < pack.table.count; n++) if (pack.table.row(n).seenAt === 0) unindexed.add(n);
      this.#writeIndex(own);
    }
    return own;
  }

  #made(): Own {
    makeFolder(this.#folder);
    const id = randomBytes(8).toString("hex");
    const owner = join(this.#folder, `${id}.${ownerMark()}.own`);
    writeFileSync(owner, "", { flag: "wx", mode: 0o600 });
    try {
      closeSync(openSync(packPath(this.#folder, id), "wx", 0o600));
    } catch (error) {
      rmSync(owner, { force: true });
      throw error;
    }
    MINE.add(owner);
    this.#packs.all();
    const pack = this.#packs.get(id);
    const file = pack === undefined ? undefined : openToAppend(pack);
    if (pack === undefined || file === undefined) throw new Error(`Cannot read ${packPath(this.#folder, id)}`);
    return { pack, size: 0, file, unindexed: new Set() };
  }

  /** Never fails: contents missing from the index are found in the pack. */
  #writeIndex({ pack, unindexed }: Own): void {
    const rows = [...unindexed];
    const { bytes, to } = pack.index;
    if (to === pack.known || !pack.isInPlace) return;
    const path = indexPath(this.#folder, pack.id);
    const piece = indexPiece(
      pack.id,
      { from: to, to: pack.known },
      rows.map((n) => ({ hash: pack.table.hash(n), ...pack.table.row(n) })),
    );
    attempt(() => {
      const there = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
      // Anything after the complete pieces was left unfinished by a killed process.
      if (there > bytes) truncateSync(path, bytes);
      if (there < bytes) return;
      appendFileSync(path, piece, { mode: 0o600 });
      for (const [at, n] of rows.entries()) {
        const { seen } = pack.table.row(n);
        pack.table.setSeen(n, { seen, seenAt: bytes + seenAt(rows.length, at) });
      }
      pack.indexed(piece.length, pack.known);
      unindexed.clear();
    });
  }
}

/** Undefined if the file does not exist; never creates it. */
function openToAppend({ path }: Pack): number | undefined {
  return attempt(() => openSync(path, constants.O_WRONLY | constants.O_APPEND));
}

/** The pack and its owner, from the name of an ownership file. */
export function ownerIn(name: string): readonly (readonly [id: string, mark: string])[] {
  const [, id, mark] = OWNER_NAME.exec(name) ?? [];
  return id === undefined || mark === undefined ? [] : [[id, mark]];
}

function restAll(): void {
  for (const writer of [...BUSY]) attempt(() => writer.rest());
}
