/**
 * A store that can only be read with the passphrase: lines, titles and file contents are sealed before they leave this
 * machine, with AES-256-GCM and a key from scrypt. The store can still see projects and session IDs, sizes and times.
 * Search runs on this machine, in a decrypted copy.
 *
 * Everyone with the passphrase seals the same line to the same bytes; see `Seal`. So the store still keeps each line
 * once. A change of the passphrase begins a new key; see `KeyRings`. A line that is pushed again after it is stored
 * twice, and readers skip the second.
 */
import { checkContents, isContentOf, sealedName, wrongContent } from "./content-name.js";
import { KeyRings, type Keys, ringLine, unique } from "./key-rings.js";
import { Seal, sealOf } from "./seal.js";
import { SEAL_MARK, sealedIn, sealedLine } from "./seal-mark.js";
import type {
  ListFilter,
  PulledLines,
  PushOptions,
  PushOutcome,
  Store,
  StoreBlobs,
  StoredLine,
  StoredSession,
  StoreHit,
  StoreSearch,
} from "./store.js";
import { StoreError } from "./store-error.js";
import { lineFacts } from "./stored-line.js";
import { WrappedStore } from "./wrapped-store.js";

export interface SealOptions {
  readonly passphrase: string;
  readonly search: (store: Store, query: StoreSearch) => Promise<readonly StoreHit[]>;
}

/** Plain text of the mark. */
const CHECK = Buffer.from("bough store");
/** Replaces a line that cannot be opened; readers skip it. */
const UNREADABLE = Buffer.alloc(0);

export class SealedStore extends WrappedStore {
  override readonly blobs: StoreBlobs;
  readonly #passphrase: Seal;
  readonly #search: SealOptions["search"];
  /** Until the mark has been read, the key of a passphrase that was never changed. */
  #keys: Keys;
  #loaded: Promise<"marked" | "empty"> | undefined;
  #checked: Promise<void> | undefined;

  constructor(inner: Store, { passphrase, search }: SealOptions) {
    checkPassphrase(passphrase, inner.address);
    super(inner);
    this.#passphrase = sealOf(passphrase);
    this.#keys = { seals: [this.#passphrase], number: 1, hasRival: false };
    this.#search = search;
    this.blobs = sealedBlobs(inner.blobs, {
      seals: async () => {
        await this.#load();
        return this.#keys.seals;
      },
      newSeals: async () => {
        await this.#reload();
        return this.#keys.seals;
      },
      check: () => this.#check(),
    });
  }

  override async list(filter?: ListFilter): Promise<readonly StoredSession[]> {
    const found = (await this.inner.list(filter)).filter(({ id }) => id !== SEAL_MARK);
    return Promise.all(found.map((one) => this.#opened(one)));
  }

  override async head(sessionId: string): Promise<StoredSession | undefined> {
    const found = await this.inner.head(sessionId);
    return found === undefined ? undefined : this.#opened(found);
  }

  override async push(
    sessionId: string,
    lines: readonly Uint8Array[],
    options: PushOptions = {},
  ): Promise<PushOutcome> {
    await this.#check();
    const seal = this.#newest;
    const { title, cwd, ...rest } = options;
    const hidden = {
      title: title === undefined ? undefined : seal.closeText(title),
      cwd: cwd === undefined ? undefined : seal.closeText(cwd),
    };
    return this.inner.push(
      sessionId,
      lines.map((line) => sealedWith(seal, line)),
      { ...rest, ...hidden },
    );
  }

  override async *pull(sessionId: string, cursor?: string): AsyncGenerator<PulledLines> {
    for await (const { lines, ...piece } of this.inner.pull(sessionId, cursor)) {
      const opened: StoredLine[] = [];
      for (const { bytes, replica } of lines) opened.push({ bytes: await this.#openLine(bytes), replica });
      yield { ...piece, lines: opened };
    }
  }

  override async *follow(sessionId: string | undefined, signal: AbortSignal): AsyncGenerator<StoredSession> {
    for await (const one of this.inner.follow(sessionId, signal)) if (one.id !== SEAL_MARK) yield this.#opened(one);
  }

  override search(query: StoreSearch): Promise<readonly StoreHit[]> {
    return this.#search(this, query);
  }

  /**
   * Changes the passphrase of the store, or takes over a change that another machine made: `adopted`. Either happens
   * completely or not at all. Rejects if another machine changes it at the same moment; nothing was changed then.
   */
  async changePassphrase(passphrase: string, now: Date): Promise<"changed" | "adopted" | "same"> {
    checkPassphrase(passphrase, this.address);
    const next = sealOf(passphrase);
    const rings = new KeyRings(await this.#markLines(), { inOrder: this.#isOrdered });
    const theirs = rings.openedBy(next);
    if (theirs !== undefined) {
      if (next.key === this.#passphrase.key) return "same";
      // Both machines changed it at the same time, and this one has used its key.
      const keys = unique([...theirs.seals, ...rings.knownTo(this.#passphrase)]);
      if (keys.length > theirs.seals.length) await this.#addRing(next, { keys, number: theirs.number + 1, at: now });
      return "adopted";
    }
    await this.#check();
    if (next.key === this.#passphrase.key) return "same";
    const number = this.#keys.number + 1;
    const keys = [Seal.random(), ...this.#keys.seals];
    await this.#addRing(next, { keys, number, at: now });
    const after = new KeyRings(await this.#markLines(), { inOrder: this.#isOrdered }).openedBy(next);
    if (after?.seals[0]?.key === keys[0]?.key) return "changed";
    throw new StoreError("wrong-passphrase", `Another machine changed the passphrase of ${this.address} just now`, {
      hint: "That change counts, and yours was not made. To set the new passphrase here: bough store passphrase",
    });
  }

  async #addRing(passphrase: Seal, ring: Parameters<typeof ringLine>[1]): Promise<void> {
    await this.inner.push(SEAL_MARK, [ringLine(passphrase, ring)]);
    this.#loaded = undefined;
  }

  /** Files of a folder arrive in any order. */
  get #isOrdered(): boolean {
    return this.inner.kind !== "folder";
  }

  get #newest(): Seal {
    return this.#keys.seals[0] ?? this.#passphrase;
  }

  #open(sealed: Uint8Array): Buffer | undefined {
    for (const seal of this.#keys.seals) {
      const opened = seal.open(sealed);
      if (opened !== undefined) return opened;
    }
    return undefined;
  }

  /** A torn line, or one pushed without the passphrase, becomes `UNREADABLE`. */
  async #openLine(bytes: Uint8Array): Promise<Uint8Array> {
    const sealed = sealedIn(bytes);
    if (sealed === undefined) {
      await this.#check();
      return UNREADABLE;
    }
    const opened = this.#open(sealed);
    if (opened !== undefined) return opened;
    await this.#reload();
    const again = this.#open(sealed);
    if (again !== undefined) return again;
    if (!this.#keys.hasRival) return UNREADABLE;
    // Skipped once, it would never be pulled again.
    throw new StoreError(
      "wrong-passphrase",
      `Two machines changed the passphrase of ${this.address} at the same time`,
      {
        hint: "On the machine whose passphrase does not work any more, set the other one: bough store passphrase",
      },
    );
  }

  /** Drops titles that cannot be opened. */
  async #opened(session: StoredSession): Promise<StoredSession> {
    const { title, cwd, ...rest } = session;
    const texts = Object.entries({ title, cwd }).filter((one): one is [string, string] => one[1] !== undefined);
    const open = () => texts.map(([name, text]) => [name, this.#openText(text)] as const);
    let opened = open();
    if (opened.some(([, text]) => text === undefined)) {
      await this.#reload();
      opened = open();
    }
    return { ...rest, ...Object.fromEntries(opened.filter(([, text]) => text !== undefined)) };
  }

  #openText(text: string): string | undefined {
    return this.#open(Buffer.from(text, "base64"))?.toString("utf8");
  }

  /** Rejects if the store has another passphrase or none. Marks an empty store as encrypted. */
  #check(): Promise<void> {
    this.#checked ??= this.#mark().catch((error: unknown) => {
      this.#checked = undefined;
      throw error;
    });
    return this.#checked;
  }

  async #mark(): Promise<void> {
    if ((await this.#load()) === "empty") await this.inner.push(SEAL_MARK, [sealedWith(this.#passphrase, CHECK)]);
  }

  /** Reads the keys. Rejects if the store has another passphrase or none. */
  #load(): Promise<"marked" | "empty"> {
    this.#loaded ??= this.#look().catch((error: unknown) => {
      this.#loaded = undefined;
      throw error;
    });
    return this.#loaded;
  }

  /** The passphrase may have been changed since the keys were read; if so, rejects. */
  async #reload(): Promise<void> {
    const head = await this.inner.head(SEAL_MARK);
    if (this.#loaded !== undefined && head?.cursor === this.#markCursor) return;
    this.#loaded = undefined;
    await this.#load();
  }

  #markCursor: string | undefined;

  async #markLines(): Promise<readonly Uint8Array[]> {
    const found: Uint8Array[] = [];
    for await (const { lines, cursor } of this.inner.pull(SEAL_MARK)) {
      found.push(...lines.map(({ bytes }) => bytes));
      this.#markCursor = cursor;
    }
    return found;
  }

  async #look(): Promise<"marked" | "empty"> {
    const lines = await this.#markLines();
    const rings = new KeyRings(lines, { inOrder: this.#isOrdered });
    if (rings.isChanged) {
      const keys = rings.openedBy(this.#passphrase);
      if (keys === undefined) throw this.#wrongPassphrase(this.#opensAny(lines) === "yes" ? "changed" : "wrong");
      this.#keys = keys;
      return "marked";
    }
    const isMarked = this.#opensAny(lines);
    if (isMarked === "yes") return "marked";
    if (isMarked === "no") throw this.#wrongPassphrase("wrong");
    // Encrypted before marks existed, or not at all.
    for (const { id, removed } of await this.inner.list()) {
      if (removed === true) continue;
      const opens = await this.#opens(id);
      if (opens === "yes") break;
      if (opens === "no") throw this.#wrongPassphrase("wrong");
      if (opens === "plain") {
        throw new StoreError("store-damaged", `${this.address} is not encrypted`, {
          data: { isEncrypted: false },
          hint: "Use it without a passphrase, or another store for encrypted sessions.",
        });
      }
    }
    return "empty";
  }

  async #opens(sessionId: string): Promise<Opens> {
    let found: Opens = "empty";
    for await (const { lines } of this.inner.pull(sessionId)) {
      const opens = this.#opensAny(lines.map(({ bytes }) => bytes));
      if (opens === "yes") return opens;
      if (found !== "no" && opens !== "empty") found = opens;
    }
    return found;
  }

  /** Whether any line can be opened. One is enough, because others may have been put there by mistake. */
  #opensAny(lines: readonly Uint8Array[]): Opens {
    let found: Opens = "empty";
    for (const bytes of lines) {
      const sealed = sealedIn(bytes);
      if (sealed !== undefined && this.#passphrase.open(sealed) !== undefined) return "yes";
      if (sealed !== undefined) found = "no";
      else if (found === "empty" && lineFacts(bytes) !== undefined) found = "plain";
    }
    return found;
  }

  #wrongPassphrase(why: "changed" | "wrong"): StoreError {
    return why === "changed"
      ? new StoreError("wrong-passphrase", `The passphrase of ${this.address} was changed`, {
          hint: "Set the new one on this machine: bough store passphrase",
        })
      : new StoreError("wrong-passphrase", `Wrong passphrase for ${this.address}`, {
          hint: "Set the right one on this machine: bough store passphrase",
        });
  }
}

type Opens = "yes" | "no" | "plain" | "empty";

function sealedWith(seal: Seal, line: Uint8Array): Uint8Array {
  return sealedLine(seal.nameOf(line).slice(0, 24), seal.close(line));
}

function checkPassphrase(passphrase: string, address: string): void {
  if (passphrase === "") throw new StoreError("passphrase-missing", `No passphrase for ${address}`);
}

interface BlobKeys {
  /** The newest first. */
  readonly seals: () => Promise<readonly Seal[]>;
  /** Reads them again. */
  readonly newSeals: () => Promise<readonly Seal[]>;
  readonly check: () => Promise<void>;
}

/** Contents are stored under a name derived from their hash and the key. */
function sealedBlobs(inner: StoreBlobs, { seals, newSeals, check }: BlobKeys): StoreBlobs {
  const nameOf = (seal: Seal, hash: string) => sealedName(seal.nameOf(Buffer.from(hash)));
  const find = async (hash: string, keys: readonly Seal[]): Promise<Buffer | undefined> => {
    for (const seal of keys) {
      const sealed = await inner.get(nameOf(seal, hash));
      if (sealed === undefined) continue;
      const content = seal.open(sealed);
      if (content === undefined || !isContentOf(hash, content)) throw wrongContent(hash);
      return content;
    }
    return undefined;
  };
  return {
    async has(hashes, options) {
      const keys = await seals();
      const names = new Map(hashes.flatMap((hash) => keys.map((seal) => [nameOf(seal, hash), hash] as const)));
      const found = await inner.has([...names.keys()], options);
      return new Set([...found].flatMap((name) => names.get(name) ?? []));
    },
    async put(contents, options) {
      checkContents(contents);
      await check();
      const [seal] = await seals();
      if (seal === undefined) throw new Error("bug: an encrypted store without a key");
      const sealed = contents.map(({ hash, content }) => ({ hash: nameOf(seal, hash), content: seal.close(content) }));
      await inner.put(sealed, options);
    },
    async get(hash) {
      const keys = await seals();
      const found = await find(hash, keys);
      if (found !== undefined) return found;
      const now = await newSeals();
      return now === keys ? undefined : find(hash, now);
    },
  };
}
