/**
 * Appends to one pack of this process. A content counts as stored only if the pack was in its place after the content was
 * written: a process that replaces a pack renames it first, and copies what is in it then.
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

/** A pack of this many bytes is full. */
const FULL_BYTES = 64 * 1024 * 1024;
/** The index is written when this many contents are not in it. */
const MOST_UNINDEXED = 2048;
/** A pack that is not as it was left is given up this often; then the disk does not do what it says. */
const MOST_TRIES = 10;
/** Files stay open this long after the last content. */
const REST_MS = 500;

interface Knowledge {
  /** Looks at all of them again. */
  readonly all: () => readonly Pack[];
  readonly get: (id: string) => Pack | undefined;
  /** Closes what else is open for a while. */
  readonly rest: () => void;
}

interface Own {
  readonly pack: Pack;
  /** Its end. */
  size: number;
  file: number | undefined;
  /** Rows that are not in the index. */
  readonly unindexed: Set<number>;
}

/** Packs that this process appends to, or did: no one else does. */
const MINE = new Set<string>();
/** Those with something that is not in an index yet. */
const BUSY = new Set<PackWriter>();
let endsWithProcess = false;

const OWNER_NAME = new RegExp(`^([0-9a-f]{16})\\.(${OWNER_MARK})\\.own$`);

export class PackWriter {
  readonly #folder: string;
  readonly #packs: Knowledge;
  #own: Own | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Not to be appended to. */
  #avoided: ReadonlySet<string> = new Set();

  constructor(folder: string, packs: Knowledge) {
    this.#folder = folder;
    this.#packs = packs;
  }

  /** Answers the pack that has it now. `seen`: when it was last asked for, in seconds. */
  append(record: Buffer, { hash, seen }: { readonly hash: Buffer; readonly seen: number }): Pack {
    for (let failed = 0; failed < MOST_TRIES; failed++) {
      const own = this.#ready({ isNew: failed > 1 });
      const offset = own.size;
      try {
        for (let sent = 0; sent < record.length; ) sent += writeSync(own.file as number, record, sent);
      } catch (error) {
        // What was written of it is passed over when the pack is read.
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
    throw new Error(`What is written to ${this.#folder} is not there afterwards`);
  }

  /** Whether the pack that is appended to has a content, as its hash says. */
  has(hash: Buffer): boolean {
    const pack = this.#own?.pack;
    const n = pack?.table.find(hash) ?? -1;
    return pack !== undefined && n >= 0 && pack.isInPlace && pack.content(n) !== undefined;
  }

  /** Packs that are to be replaced get nothing more. */
  avoid(ids: ReadonlySet<string>): void {
    this.#avoided = ids;
    if (this.#own !== undefined && ids.has(this.#own.pack.id)) this.leave();
  }

  /** Continues in another pack, or in the same one once it was read again. `id`: only if it is this one. */
  leave(id = this.#own?.pack.id): void {
    if (this.#own === undefined || this.#own.pack.id !== id) return;
    this.rest();
    this.#own = undefined;
  }

  /** Completes the index and closes the file; the next content opens it again. */
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

  /** The pack, open at its end. */
  #ready({ isNew }: { readonly isNew: boolean }): Own {
    const own = this.#own;
    if (own?.file !== undefined && own.size < FULL_BYTES) return own;
    if (own !== undefined && own.size < FULL_BYTES) {
      own.file = openToAppend(own.pack);
      // No other process appends to it.
      if (own.file !== undefined && statSync(own.pack.path, { throwIfNoEntry: false })?.size === own.size) return own;
    }
    this.leave();
    this.#own = (isNew ? undefined : this.#taken()) ?? this.#made();
    return this.#own;
  }

  /** Continues a pack that no living process appends to. */
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

  /** Only one process can. */
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

  /** What its last owner did not get into the index is put there. */
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
    if (pack === undefined || file === undefined) throw new Error(`${packPath(this.#folder, id)} cannot be read`);
    return { pack, size: 0, file, unindexed: new Set() };
  }

  /** Never fails: what is not in the index is found in the pack. */
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
      // Behind what is whole there is only what a killed process did not finish.
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

/** Never makes one. Undefined if it is not there. */
function openToAppend({ path }: Pack): number | undefined {
  return attempt(() => openSync(path, constants.O_WRONLY | constants.O_APPEND));
}

/** The pack and its owner that the name of a file says. */
export function ownerIn(name: string): readonly (readonly [id: string, mark: string])[] {
  const [, id, mark] = OWNER_NAME.exec(name) ?? [];
  return id === undefined || mark === undefined ? [] : [[id, mark]];
}

function restAll(): void {
  for (const writer of [...BUSY]) attempt(() => writer.rest());
}
