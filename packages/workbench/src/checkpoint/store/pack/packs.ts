/**
 * The packs of a store, as this process knows them. Each process appends to a pack of its own and reads all of them; one
 * that a process left behind is continued by the next.
 *
 *     packs/<id>.pack          contents, only appended to
 *     packs/<id>.old           one that is being replaced: read, but never relied on
 *     packs/<id>.idx           where they are; can be lost
 *     packs/<id>.<owner>.own   who appends to it
 */
import { statSync } from "node:fs";
import { join } from "node:path";
import { namesIn } from "@bough/session/log/index.js";
import { nowSeconds, PACK_NAME, Pack } from "./pack.js";
import { HASH_BYTES, packRecord, recordHash } from "./pack-record.js";
import { PackWriter } from "./pack-writer.js";

/** One that was not asked for in this long counts as new again when it is, so that no one removes it just now. */
const LONG_SECONDS = 24 * 60 * 60;
/** While contents are stored, others' are looked for this often: the same content twice costs only room. */
const LOOK_AGAIN_MS = 500;
/** Packs may come and go while they are listed. */
const ATTEMPTS = 10;

/** A content in a pack. */
export interface PackedContent {
  readonly pack: Pack;
  /** Of its row. */
  readonly n: number;
}

/** Those in use, so that all who read one store in this process share what is known of it. */
const OPEN = new Map<string, WeakRef<Packs>>();

export class Packs {
  readonly folder: string;
  readonly #packs = new Map<string, Pack>();
  readonly #writer: PackWriter;
  /** When all of them were last looked at. */
  #lookedAt = Number.NEGATIVE_INFINITY;

  /** Of the store in this folder. */
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

  /** Reads what is new in all of them. */
  look(): void {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const names = namesIn(this.folder).flatMap((name) => {
        const [, id, end] = PACK_NAME.exec(name) ?? [];
        return id === undefined ? [] : [{ id, isOld: end === "old" }];
      });
      const there = new Set(names.map(({ id }) => id));
      for (const id of this.#packs.keys()) if (!there.has(id)) this.#forget(id);
      // One that vanished meanwhile was replaced by another one, which may not be in the list yet.
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
      // It cannot be read: whatever is in it is not known.
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

  /** All of them, as they are now. */
  all(): readonly Pack[] {
    this.look();
    return [...this.#packs.values()];
  }

  /** The same, with the times at which others asked for contents since. */
  reread(): readonly Pack[] {
    for (const id of [...this.#packs.keys()]) this.#forget(id);
    return this.all();
  }

  /** Where a content is, as far as is known; those that can be relied on first. */
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

  /** Where a content is now. */
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

  /** Undefined if none of the packs that are known has it as its hash says. */
  knownContent(hash: string): Buffer | undefined {
    for (const { pack, n } of this.places(hash)) {
      const content = pack.content(n);
      if (content !== undefined) return content;
    }
    return undefined;
  }

  /** The same, after another look. */
  content(hash: string): Buffer | undefined {
    const known = [...this.places(hash)];
    // What is known of those may not be true any more.
    for (const { pack } of known) this.#forget(pack.id);
    this.look();
    return this.knownContent(hash);
  }

  /** Whether a content is there and stays for the time being. If not it has to be written. */
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

  /** Handed to the system when it returns. False for a content that is too large for a pack. */
  put(hash: string, content: Uint8Array, deflated: Uint8Array): boolean {
    const key = keyOf(hash);
    const record = key === undefined ? undefined : packRecord(content, key, deflated);
    if (record === undefined) return false;
    if (this.#lookedAt === Number.NEGATIVE_INFINITY) this.look();
    this.#writer.append(record, { hash: recordHash(record), seen: nowSeconds() });
    return true;
  }

  /** For replacing packs. */
  get writer(): PackWriter {
    return this.#writer;
  }

  #rest(): void {
    for (const pack of this.#packs.values()) pack.rest();
  }
}

let last: { readonly hash: string; readonly key: Buffer | undefined } = { hash: "", key: undefined };

/** Undefined if it is none. A content that is asked for is often stored next. */
function keyOf(hash: string): Buffer | undefined {
  if (hash !== last.hash) {
    const key = Buffer.from(hash, "hex");
    last = { hash, key: key.length === HASH_BYTES && hash.length === 2 * HASH_BYTES ? key : undefined };
  }
  return last.key;
}
