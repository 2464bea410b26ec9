/**
 * A store used without a passphrase. Refuses a store that is encrypted by others, so that no plain text is pushed to it
 * and no ciphertext is pulled from it.
 */
import { isSealedLine, isSealMark, SEAL_MARK } from "./seal-mark.js";
import type { ListFilter, PulledLines, PushOptions, PushOutcome, Store, StoredLine, StoredSession } from "./store.js";
import { StoreError } from "./store-error.js";
import { WrappedStore } from "./wrapped-store.js";

export class PlainStore extends WrappedStore {
  #isKnown = false;
  /** Defined only if the driver can read paths. */
  readonly path?: (sessionId: string, entryId?: string) => AsyncIterable<readonly StoredLine[]>;

  constructor(inner: Store) {
    super(inner);
    if (inner.path !== undefined) this.path = (sessionId, entryId) => this.#path(sessionId, entryId);
  }

  override async list(filter?: ListFilter): Promise<readonly StoredSession[]> {
    const found = await this.inner.list(filter);
    if (found.some(isSealMark)) throw this.#isEncrypted();
    // The mark belongs to no project, so only an unfiltered list shows that there is none.
    if (filter?.project === undefined) this.#isKnown = true;
    return found;
  }

  override async push(sessionId: string, lines: readonly Uint8Array[], options?: PushOptions): Promise<PushOutcome> {
    if (!this.#isKnown && (await this.inner.head(SEAL_MARK)) !== undefined) throw this.#isEncrypted();
    this.#isKnown = true;
    return this.inner.push(sessionId, lines, options);
  }

  override async *pull(sessionId: string, cursor?: string): AsyncGenerator<PulledLines> {
    for await (const piece of this.inner.pull(sessionId, cursor)) {
      this.#check(piece.lines);
      yield piece;
    }
  }

  async *#path(sessionId: string, entryId?: string): AsyncGenerator<readonly StoredLine[]> {
    for await (const lines of this.inner.path?.(sessionId, entryId) ?? []) {
      this.#check(lines);
      yield lines;
    }
  }

  #check(lines: readonly StoredLine[]): void {
    if (lines.some(({ bytes }) => isSealedLine(bytes))) throw this.#isEncrypted();
  }

  #isEncrypted(): StoreError {
    return new StoreError("passphrase-missing", `${this.address} is encrypted`, {
      data: { isEncrypted: true },
      hint: "Set BOUGH_STORE_PASSPHRASE and add it with: bough store add <name> <address> --encrypt",
    });
  }
}
