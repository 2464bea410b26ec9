/**
 * A store that can only be read with the passphrase: lines, titles and file contents are sealed before they leave this
 * machine, with AES-256-GCM and a key from scrypt. The store can still see projects and session IDs, sizes and times.
 * Search runs on this machine, in a decrypted copy.
 *
 * Everyone with the passphrase seals the same line to the same bytes, because the nonce is derived from its content and
 * the key. So the store still keeps each line once.
 */
import { createCipheriv, createDecipheriv, createHmac, scryptSync } from "node:crypto";
import { checkContents, isContentOf, sealedName, wrongContent } from "./content-name.js";
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

const COST = { N: 1 << 15, r: 8, p: 1, maxmem: 128 << 20 };
const SALT = "bough store, version 1";
const NONCE = 12;
const TAG = 16;

/** Plain text of the mark. */
const CHECK = Buffer.from("bough store");
/** Replaces a line that cannot be opened; readers skip it. */
const UNREADABLE = Buffer.alloc(0);

export class SealedStore extends WrappedStore {
  override readonly blobs: StoreBlobs;
  readonly #seal: Seal;
  readonly #search: SealOptions["search"];
  #checked: Promise<void> | undefined;

  constructor(inner: Store, { passphrase, search }: SealOptions) {
    if (passphrase === "") throw new StoreError("passphrase-missing", `No passphrase for ${inner.address}`);
    super(inner);
    this.#seal = sealOf(passphrase);
    this.#search = search;
    this.blobs = sealedBlobs(inner.blobs, this.#seal, () => this.#check());
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
    const { title, cwd, ...rest } = options;
    const hidden = {
      title: title === undefined ? undefined : this.#seal.closeText(title),
      cwd: cwd === undefined ? undefined : this.#seal.closeText(cwd),
    };
    return this.inner.push(
      sessionId,
      lines.map((line) => this.#sealedLine(line)),
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

  #sealedLine(line: Uint8Array): Uint8Array {
    return sealedLine(this.#seal.nameOf(line).slice(0, 24), this.#seal.close(line));
  }

  /** A torn line, or one pushed without the passphrase, becomes `UNREADABLE`. */
  async #openLine(bytes: Uint8Array): Promise<Uint8Array> {
    const sealed = sealedIn(bytes);
    const opened = sealed === undefined ? undefined : this.#seal.open(sealed);
    if (opened === undefined) await this.#check();
    return opened ?? UNREADABLE;
  }

  /** Drops titles that cannot be opened. */
  async #opened(session: StoredSession): Promise<StoredSession> {
    const { title, cwd, ...rest } = session;
    const shown = {
      ...(title === undefined ? {} : { title: this.#seal.openText(title) }),
      ...(cwd === undefined ? {} : { cwd: this.#seal.openText(cwd) }),
    };
    const readable = Object.entries(shown).filter(([, text]) => text !== undefined);
    if (readable.length < Object.keys(shown).length) await this.#check();
    return { ...rest, ...Object.fromEntries(readable) };
  }

  /** Rejects if the store has another passphrase or none. Marks an empty store as encrypted. */
  #check(): Promise<void> {
    this.#checked ??= this.#look().catch((error: unknown) => {
      this.#checked = undefined;
      throw error;
    });
    return this.#checked;
  }

  async #look(): Promise<void> {
    const isMarked = await this.#opens(SEAL_MARK);
    if (isMarked === "yes") return;
    if (isMarked === "no") throw this.#wrongPassphrase();
    // Encrypted before marks existed, or not at all.
    for (const { id, removed } of await this.inner.list()) {
      if (removed === true) continue;
      const opens = await this.#opens(id);
      if (opens === "yes") break;
      if (opens === "no") throw this.#wrongPassphrase();
      if (opens === "plain") {
        throw new StoreError("store-damaged", `${this.address} is not encrypted`, {
          data: { isEncrypted: false },
          hint: "Use it without a passphrase, or another store for encrypted sessions.",
        });
      }
    }
    await this.inner.push(SEAL_MARK, [this.#sealedLine(CHECK)]);
  }

  /** Whether any line of a session can be opened. One is enough, because others may have been put there by mistake. */
  async #opens(sessionId: string): Promise<"yes" | "no" | "plain" | "empty"> {
    let found: "no" | "plain" | "empty" = "empty";
    for await (const { lines } of this.inner.pull(sessionId)) {
      for (const { bytes } of lines) {
        const sealed = sealedIn(bytes);
        if (sealed !== undefined && this.#seal.open(sealed) !== undefined) return "yes";
        if (sealed !== undefined) found = "no";
        else if (found === "empty" && lineFacts(bytes) !== undefined) found = "plain";
      }
    }
    return found;
  }

  #wrongPassphrase(): StoreError {
    return new StoreError("wrong-passphrase", `Wrong passphrase for ${this.address}`, {
      hint: "Set it again with: bough store add <name> <address> --encrypt",
    });
  }
}

/** Caches the seal of the last passphrase: deriving a key takes a tenth of a second, and stores are opened often. */
let lastSeal: { readonly passphrase: string; readonly seal: Seal } | undefined;

function sealOf(passphrase: string): Seal {
  if (lastSeal?.passphrase !== passphrase) lastSeal = { passphrase, seal: new Seal(passphrase) };
  return lastSeal.seal;
}

class Seal {
  readonly #key: Buffer;
  readonly #nonceKey: Buffer;

  constructor(passphrase: string) {
    const made = scryptSync(passphrase.normalize("NFC"), SALT, 64, COST);
    this.#key = made.subarray(0, 32);
    this.#nonceKey = made.subarray(32);
  }

  nameOf(content: Uint8Array): string {
    return createHmac("sha256", this.#nonceKey).update("name").update(content).digest("hex");
  }

  close(content: Uint8Array): Buffer {
    const nonce = createHmac("sha256", this.#nonceKey).update("nonce").update(content).digest().subarray(0, NONCE);
    const cipher = createCipheriv("aes-256-gcm", this.#key, nonce);
    const body = Buffer.concat([cipher.update(content), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]);
  }

  /** Undefined if the passphrase is wrong or the data was changed. */
  open(sealed: Uint8Array): Buffer | undefined {
    if (sealed.length < NONCE + TAG) return undefined;
    try {
      const decipher = createDecipheriv("aes-256-gcm", this.#key, sealed.subarray(0, NONCE), { authTagLength: TAG });
      decipher.setAuthTag(sealed.subarray(NONCE, NONCE + TAG));
      return Buffer.concat([decipher.update(sealed.subarray(NONCE + TAG)), decipher.final()]);
    } catch {
      return undefined;
    }
  }

  closeText(text: string): string {
    return this.close(Buffer.from(text)).toString("base64");
  }

  openText(text: string): string | undefined {
    return this.open(Buffer.from(text, "base64"))?.toString("utf8");
  }
}

/** Contents are stored under a name derived from their hash and the key. */
function sealedBlobs(inner: StoreBlobs, seal: Seal, check: () => Promise<void>): StoreBlobs {
  const nameOf = (hash: string) => sealedName(seal.nameOf(Buffer.from(hash)));
  return {
    async has(hashes, options) {
      const names = new Map(hashes.map((hash) => [nameOf(hash), hash]));
      const found = await inner.has([...names.keys()], options);
      return new Set([...found].flatMap((name) => names.get(name) ?? []));
    },
    async put(contents, options) {
      checkContents(contents);
      await check();
      const sealed = contents.map(({ hash, content }) => ({ hash: nameOf(hash), content: seal.close(content) }));
      await inner.put(sealed, options);
    },
    async get(hash) {
      const sealed = await inner.get(nameOf(hash));
      if (sealed === undefined) return undefined;
      const content = seal.open(sealed);
      if (content === undefined || !isContentOf(hash, content)) throw wrongContent(hash);
      return content;
    },
  };
}
