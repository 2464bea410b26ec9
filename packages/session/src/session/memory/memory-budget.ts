/**
 * One byte budget for everything that open sessions cache in memory: when it is exhausted, the least recently used
 * sessions drop their caches (keeps I8 for a process with hundreds of sessions).
 */

/** Bytes of lines that all sessions of a process together may hold as parsed entries and built contexts. */
const DEFAULT_LIMIT = 64 << 20;

export class MemoryBudget {
  #limit: number;
  #used = 0;
  #clock = 0;
  readonly #shares = new Set<MemoryShare>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get limit(): number {
    return this.#limit;
  }

  /** Bytes in use by all sessions. */
  get used(): number {
    return this.#used;
  }

  /** Takes effect immediately: anything over the new limit is dropped. */
  setLimit(limit: number): void {
    this.#limit = limit;
    this.#makeRoom(undefined);
  }

  /** A part of the budget. `release` must drop everything counted in it. */
  share(release: () => void): MemoryShare {
    const share: MemoryShare = new MemoryShare(release, (bytes) => this.#resize(share, bytes));
    return share;
  }

  #resize(share: MemoryShare, bytes: number): void {
    this.#set(share, bytes);
    share.usedAt = ++this.#clock;
    if (this.#used > this.#limit) this.#makeRoom(share);
  }

  #set(share: MemoryShare, bytes: number): void {
    this.#used += bytes - share.bytes;
    share.bytes = bytes;
    if (bytes > 0) this.#shares.add(share);
    else this.#shares.delete(share);
  }

  /** The asking share is spared: its owner is in the middle of an operation, and stays within the limit by itself. */
  #makeRoom(asking: MemoryShare | undefined): void {
    while (this.#used > this.#limit) {
      let oldest: MemoryShare | undefined;
      for (const share of this.#shares) {
        if (share !== asking && share.usedAt < (oldest?.usedAt ?? Number.POSITIVE_INFINITY)) oldest = share;
      }
      if (oldest === undefined) return;
      oldest.release();
      this.#set(oldest, 0);
    }
  }
}

/** The part of a budget that one owner holds. */
class MemoryShare {
  bytes = 0;
  usedAt = 0;
  readonly release: () => void;
  readonly #resize: (bytes: number) => void;

  constructor(release: () => void, resize: (bytes: number) => void) {
    this.release = release;
    this.#resize = resize;
  }

  /** Sets the number of bytes held now. May make other owners drop theirs. */
  resize(bytes: number): void {
    this.#resize(bytes);
  }
}

/** The budget of this process. */
export const sessionMemory = new MemoryBudget(DEFAULT_LIMIT);

/**
 * Sets how many bytes of lines all sessions of this process together may hold as parsed entries and built contexts
 * (default 64 MB). Anything else is read again when needed. Returns the previous limit.
 */
export function setSessionMemory(bytes: number): number {
  const before = sessionMemory.limit;
  sessionMemory.setLimit(bytes);
  return before;
}
