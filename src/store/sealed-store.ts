/**
 * A store that only people with the passphrase can read: lines, titles and contents of files are sealed before they
 * leave, with AES-256-GCM and a key from scrypt. Projects and session IDs stay readable for the store, and so do sizes
 * and times. Search happens here, in the opened copy.
 *
 * The same line is sealed to the same bytes by everyone with the passphrase, so that the store still keeps it once: its
 * nonce is made from its content and the key.
 */
import { createCipheriv, createDecipheriv, createHmac, scryptSync } from "node:crypto";
import { checkContents, isContentOf, sealedName, wrongContent } from "./content-name.js";
import type {
  ListFilter,
  PulledLines,
  PushOptions,
  PushOutcome,
  Replica,
  Store,
  StoreBlobs,
  StoredSession,
  StoreHit,
  StoreSearch,
} from "./store.js";
import { StoreError } from "./store-error.js";
import { lineFacts } from "./stored-line.js";

export interface SealOptions {
  readonly passphrase: string;
  readonly search: (store: Store, query: StoreSearch) => Promise<readonly StoreHit[]>;
}

const COST = { N: 1 << 15, r: 8, p: 1, maxmem: 128 << 20 };
const SALT = "bough store, version 1";
const NONCE = 12;
const TAG = 16;

export class SealedStore implements Store {
  readonly kind: string;
  readonly blobs: StoreBlobs;
  readonly #inner: Store;
  readonly #seal: Seal;
  readonly #search: SealOptions["search"];

  constructor(inner: Store, { passphrase, search }: SealOptions) {
    if (passphrase === "") throw new StoreError("passphrase-missing", `No passphrase for ${inner.address}`);
    this.#inner = inner;
    this.#seal = sealOf(passphrase);
    this.#search = search;
    this.kind = inner.kind;
    this.blobs = sealedBlobs(inner.blobs, this.#seal);
  }

  get address(): string {
    return this.#inner.address;
  }

  get replica(): Replica {
    return this.#inner.replica;
  }

  async list(filter?: ListFilter): Promise<readonly StoredSession[]> {
    return (await this.#inner.list(filter)).map((one) => this.#opened(one));
  }

  async head(sessionId: string): Promise<StoredSession | undefined> {
    const found = await this.#inner.head(sessionId);
    return found === undefined ? undefined : this.#opened(found);
  }

  async push(sessionId: string, lines: readonly Uint8Array[], options: PushOptions = {}): Promise<PushOutcome> {
    const { title, cwd, ...rest } = options;
    const hidden = {
      ...(title === undefined ? {} : { title: this.#seal.closeText(title) }),
      ...(cwd === undefined ? {} : { cwd: this.#seal.closeText(cwd) }),
    };
    return this.#inner.push(
      sessionId,
      lines.map((line) => this.#sealedLine(line)),
      { ...rest, ...hidden },
    );
  }

  async *pull(sessionId: string, cursor?: string): AsyncGenerator<PulledLines> {
    for await (const { lines, cursor: next } of this.#inner.pull(sessionId, cursor)) {
      const opened = lines.map(({ bytes, replica }) => ({ bytes: this.#openLine(bytes), replica }));
      yield { lines: opened, cursor: next };
    }
  }

  async *follow(sessionId: string | undefined, signal: AbortSignal): AsyncGenerator<StoredSession> {
    for await (const one of this.#inner.follow(sessionId, signal)) yield this.#opened(one);
  }

  search(query: StoreSearch): Promise<readonly StoreHit[]> {
    return this.#search(this, query);
  }

  remove(sessionId: string): Promise<void> {
    return this.#inner.remove(sessionId);
  }

  readmit(sessionId: string): Promise<void> {
    return this.#inner.readmit(sessionId);
  }

  close(): Promise<void> {
    return this.#inner.close();
  }

  /** An entry of the format, so that every driver takes it. Its ID is made from its bytes and tells nothing. */
  #sealedLine(line: Uint8Array): Uint8Array {
    const sealed = this.#seal.close(line).toString("base64");
    const id = this.#seal.nameOf(line).slice(0, 24);
    return Buffer.from(JSON.stringify({ type: "sealed", id, parentId: null, sealed }));
  }

  #openLine(bytes: Uint8Array): Uint8Array {
    const sealed = lineFacts(bytes)?.record.sealed;
    if (typeof sealed !== "string") {
      throw new StoreError("store-damaged", `${this.address} has sessions that are not encrypted`, {
        hint: "Use the store without a passphrase, or another one for encrypted sessions.",
      });
    }
    const opened = this.#seal.open(Buffer.from(sealed, "base64"));
    if (opened === undefined) throw this.#wrongPassphrase();
    return opened;
  }

  #opened(session: StoredSession): StoredSession {
    const { title, cwd, ...rest } = session;
    const shown = {
      ...(title === undefined ? {} : { title: this.#seal.openText(title) }),
      ...(cwd === undefined ? {} : { cwd: this.#seal.openText(cwd) }),
    };
    if (Object.values(shown).includes(undefined)) throw this.#wrongPassphrase();
    return { ...rest, ...(shown as { title?: string; cwd?: string }) };
  }

  #wrongPassphrase(): StoreError {
    return new StoreError("wrong-passphrase", `The passphrase does not open ${this.address}`, {
      hint: "Set it again with: bough store add <name> <address> --encrypt",
    });
  }
}

/** Of the passphrase that was used last: to make its key takes a tenth of a second, and stores are opened again and again. */
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

  /** Undefined if the passphrase is another one, or a byte was changed. */
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

/** The store knows a content by a name that is made from its hash and the key. */
function sealedBlobs(inner: StoreBlobs, seal: Seal): StoreBlobs {
  const nameOf = (hash: string) => sealedName(seal.nameOf(Buffer.from(hash)));
  return {
    async has(hashes) {
      const names = new Map(hashes.map((hash) => [nameOf(hash), hash]));
      const found = await inner.has([...names.keys()]);
      return new Set([...found].flatMap((name) => names.get(name) ?? []));
    },
    async put(contents) {
      checkContents(contents);
      await inner.put(contents.map(({ hash, content }) => ({ hash: nameOf(hash), content: seal.close(content) })));
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
