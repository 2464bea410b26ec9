/**
 * A store that is used without a passphrase. One that others encrypt is refused: nothing readable goes there, and nothing
 * unreadable comes from there.
 */
import { isSealedLine, isSealMark, SEAL_MARK } from "./seal-mark.js";
import type { ListFilter, PulledLines, PushOptions, PushOutcome, Store, StoredLine, StoredSession } from "./store.js";
import { StoreError } from "./store-error.js";
import { WrappedStore } from "./wrapped-store.js";

export class PlainStore extends WrappedStore {
  #isKnown = false;
  /** Only drivers that can give a path have it. */
  readonly path?: (sessionId: string, entryId?: string) => AsyncIterable<readonly StoredLine[]>;

  constructor(inner: Store) {
    super(inner);
    if (inner.path !== undefined) this.path = (sessionId, entryId) => this.#path(sessionId, entryId);
  }

  override async list(filter?: ListFilter): Promise<readonly StoredSession[]> {
    const found = await this.inner.list(filter);
    if (found.some(isSealMark)) throw this.#isEncrypted();
    // The mark belongs to no project.
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
