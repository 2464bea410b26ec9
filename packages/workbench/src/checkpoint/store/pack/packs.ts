/**
 * The packs of a store, as this process knows them. Each process appends to a pack of its own and reads all of them. A
 * pack whose process has ended is continued by another one.
 *
 *     packs/<id>.pack          contents, append-only
 *     packs/<id>.old           a pack that is being replaced: readable, but never relied on
 *     packs/<id>.idx           the index; may be lost
 *     packs/<id>.<owner>.own   names the process that appends to the pack
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { namesIn } from "@bough/session/log/index.js";
import { nowSeconds, PACK_NAME, Pack } from "./pack.js";
import { HASH_BYTES, packRecord, recordHash } from "./pack-record.js";
import { PackWriter } from "./pack-writer.js";

/**
 * A content not used for this long gets a new time when it is used again, so that garbage collection keeps it for now.
 */
const LONG_SECONDS = 24 * 60 * 60;
/** How often to look for other processes' contents while storing. In between, a content may be stored twice. */
const LOOK_AGAIN_MS = 500;
/** How often to list packs again if some come or go meanwhile. */
const ATTEMPTS = 10;

/** A content in a pack. */
export interface PackedContent {
  readonly pack: Pack;
  /** The number of its row. */
  readonly n: number;
}

/** Packs by store, shared by all users of a store in this process. */
const OPEN = new Map<string, WeakRef<Packs>>();

export class Packs {
  readonly folder: string;
  readonly #packs = new Map<string, Pack>();
  readonly #writer: PackWriter;
  /** When the packs were last updated. */
  #lookedAt = Number.NEGATIVE_INFINITY;

  /** The packs of the store in this folder. */
  static of(store: string): Packs {
    const open = OPEN.get(store)?.deref();
    if (open !== undefined) return open;
    const packs = new Packs(join(store, "packs"));
    for (const [path, ref] of OPEN) if (ref.deref() === undefined) OPEN.delete(path);
    OPEN.set(store, new WeakRef(packs));
    return packs;
  }

  private constructor(folder: string) {
    this.folder = folder;
    this.#writer = new PackWriter(folder, {
      all: () => this.all(),
      get: (id) => this.#packs.get(id),
      rest: () => this.#rest(),
    });
  }

  /** Reads what is new in all packs. */
  look(): void {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const names = namesIn(this.folder).flatMap((name) => {
        const [, id, end] = PACK_NAME.exec(name) ?? [];
        return id === undefined ? [] : [{ id, isOld: end === "old" }];
      });
      const there = new Set(names.map(({ id }) => id));
      for (const id of this.#packs.keys()) if (!there.has(id)) this.#forget(id);
      // A pack that vanished meanwhile was replaced by one that this list may not contain yet.
      if (names.map((name) => this.#lookInto(name)).every(Boolean)) break;
    }
    this.#lookedAt = performance.now();
  }

  #lookInto({ id, isOld }: { readonly id: string; readonly isOld: boolean }): boolean {
    const known = this.#packs.get(id);
    if (known?.isOld === isOld && known.update()) return true;
    this.#forget(id);
    const pack = new Pack(this.folder, id, { isOld });
    try {
      if (!pack.update()) return statSync(pack.path, { throwIfNoEntry: false }) !== undefined;
    } catch {
      // An unreadable pack has no known contents.
      return true;
    }
    this.#packs.set(id, pack);
    return true;
  }

  #forget(id: string): void {
    this.#writer.leave(id);
    this.#packs.get(id)?.rest();
    this.#packs.delete(id);
  }

  /** All packs, updated. */
  all(): readonly Pack[] {
    this.look();
    return [...this.#packs.values()];
  }

  /** Like `all`, but also reads the times at which other processes used contents. */
  reread(): readonly Pack[] {
    for (const id of [...this.#packs.keys()]) this.#forget(id);
    return this.all();
  }

  /** All known copies of a content, those that can be relied on first. */
  *places(hash: string): Generator<PackedContent> {
    const key = keyOf(hash);
    if (key === undefined) return;
    if (this.#lookedAt === Number.NEGATIVE_INFINITY) this.look();
    for (const isOld of [false, true]) {
      for (const pack of this.#packs.values()) {
        const n = pack.isOld === isOld ? pack.table.find(key) : -1;
        if (n >= 0) yield { pack, n };
      }
    }
  }

  /** A copy of a content that exists now. */
  find(hash: string): PackedContent | undefined {
    const found = this.#known(hash);
    if (found !== undefined) return found;
    this.look();
    return this.#known(hash);
  }

  #known(hash: string): PackedContent | undefined {
    for (const place of this.places(hash)) if (place.pack.isThere) return place;
    return undefined;
  }

  /** Undefined if no known pack has an intact copy. */
  knownContent(hash: string): Buffer | undefined {
    for (const { pack, n } of this.places(hash)) {
      const content = pack.content(n);
      if (content !== undefined) return content;
    }
    return undefined;
  }

  /** Like `knownContent`, after reading the packs again. */
  content(hash: string): Buffer | undefined {
    const known = [...this.places(hash)];
    // What is known about these packs may be outdated.
    for (const { pack } of known) this.#forget(pack.id);
    this.look();
    return this.knownContent(hash);
  }

  /** Whether a content exists and will stay for now. If not, it must be written. */
  keep(hash: string): boolean {
    if (performance.now() - this.#lookedAt > LOOK_AGAIN_MS) this.look();
    const now = nowSeconds();
    for (const { pack, n } of this.places(hash)) {
      if (pack.isOld) continue;
      const { seen } = pack.table.row(n);
      if (seen + LONG_SECONDS > now ? pack.isInPlace : pack.touch(n, now)) {
        this.#writer.restLater();
        return true;
      }
    }
    return false;
  }

  /** When this returns, the content is handed to the system. False if it is too large for a pack. */
  put(hash: string, content: Uint8Array, deflated: Uint8Array): boolean {
    const key = keyOf(hash);
    const record = key === undefined ? undefined : packRecord(content, key, deflated);
    if (record === undefined) return false;
    if (this.#lookedAt === Number.NEGATIVE_INFINITY) this.look();
    this.#writer.append(record, { hash: recordHash(record), seen: nowSeconds() });
    return true;
  }

  /** Used to replace packs. */
  get writer(): PackWriter {
    return this.#writer;
  }

  #rest(): void {
    for (const pack of this.#packs.values()) pack.rest();
  }
}

let last: { readonly hash: string; readonly key: Buffer | undefined } = { hash: "", key: undefined };

/** Undefined if it is not a hash. Remembers the last one, because a content is often looked up and then stored. */
function keyOf(hash: string): Buffer | undefined {
  if (hash !== last.hash) {
    const key = Buffer.from(hash, "hex");
    last = { hash, key: key.length === HASH_BYTES && hash.length === 2 * HASH_BYTES ? key : undefined };
  }
  return last.key;
}
