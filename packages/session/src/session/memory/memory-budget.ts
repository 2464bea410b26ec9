/**
 * One budget of bytes for everything that open sessions hold in memory to be quick: when it is used up, the sessions
 * that were used least recently let go of theirs (keeps I8 for a process with hundreds of sessions).
 */

/** Bytes of lines that all sessions of a process together hold as parsed entries and built contexts. */
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

  /** Bytes in use, of all sessions. */
  get used(): number {
    return this.#used;
  }

  /** Takes effect at once: what is too much is let go. */
  setLimit(limit: number): void {
    this.#limit = limit;
    this.#makeRoom(undefined);
  }

  /** A part of the budget. `release` must let go of everything that is counted in it. */
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

  /** The share that asks is spared: its owner is in the middle of something, and keeps within the limit on its own. */
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

/** What one owner holds of a budget. */
class MemoryShare {
  bytes = 0;
  usedAt = 0;
  readonly release: () => void;
  readonly #resize: (bytes: number) => void;

  constructor(release: () => void, resize: (bytes: number) => void) {
    this.release = release;
    this.#resize = resize;
  }

  /** Says how many bytes are held now. May make other owners let go of theirs. */
  resize(bytes: number): void {
    this.#resize(bytes);
  }
}

/** The budget of this process. */
export const sessionMemory = new MemoryBudget(DEFAULT_LIMIT);

/**
 * Sets how many bytes of lines all sessions of this process together may hold as parsed entries and built contexts;
 * 64 MB unless it is set. What is not held is read again when it is needed. Returns the limit that was set before.
 */
export function setSessionMemory(bytes: number): number {
  const before = sessionMemory.limit;
  sessionMemory.setLimit(bytes);
  return before;
}
