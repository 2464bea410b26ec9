/** A store around another one, to which it passes every call that a subclass does not override. */
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
  StoreTeam,
} from "./store.js";

export class WrappedStore implements Store {
  readonly blobs: StoreBlobs;
  protected readonly inner: Store;

  constructor(inner: Store, blobs = inner.blobs) {
    this.inner = inner;
    this.blobs = blobs;
  }

  get kind(): string {
    return this.inner.kind;
  }

  get address(): string {
    return this.inner.address;
  }

  get key(): string {
    return this.inner.key ?? this.inner.address;
  }

  get replica(): Replica {
    return this.inner.replica;
  }

  get atOnce(): number {
    return this.inner.atOnce ?? 1;
  }

  get team(): StoreTeam | undefined {
    return this.inner.team;
  }

  list(filter?: ListFilter): Promise<readonly StoredSession[]> {
    return this.inner.list(filter);
  }

  head(sessionId: string): Promise<StoredSession | undefined> {
    return this.inner.head(sessionId);
  }

  push(sessionId: string, lines: readonly Uint8Array[], options?: PushOptions): Promise<PushOutcome> {
    return this.inner.push(sessionId, lines, options);
  }

  pull(sessionId: string, cursor?: string): AsyncIterable<PulledLines> {
    return this.inner.pull(sessionId, cursor);
  }

  follow(sessionId: string | undefined, signal: AbortSignal): AsyncIterable<StoredSession> {
    return this.inner.follow(sessionId, signal);
  }

  search(query: StoreSearch): Promise<readonly StoreHit[]> {
    return this.inner.search(query);
  }

  remove(sessionId: string): Promise<void> {
    return this.inner.remove(sessionId);
  }

  readmit(sessionId: string): Promise<void> {
    return this.inner.readmit(sessionId);
  }

  close(): Promise<void> {
    return this.inner.close();
  }
}
