/** The sessions that clients look at, each open once. Those that nobody looks at any more are closed. */
import type { Source } from "../../history/internal.js";
import { OpenedSession } from "./opened-session.js";

/** Opening costs a scan of the file, so a session stays open for a while after its last use. */
const KEPT_MS = 60_000;
const MOST_IDLE = 8;

interface Pooled {
  readonly opening: Promise<OpenedSession>;
  readonly listeners: Set<() => void>;
  users: number;
  idleSince: number;
}

export interface Lease {
  readonly opened: OpenedSession;
  /** Called after the session's file changed. */
  onChange(listener: () => void): void;
  /** Call it exactly once. */
  release(): void;
}

export class SessionPool {
  readonly #sessions = new Map<string, Pooled>();
  readonly #timer: NodeJS.Timeout;

  constructor() {
    this.#timer = setInterval(() => this.#closeIdle(performance.now() - KEPT_MS), KEPT_MS / 4).unref();
  }

  /** Throws what opening the session throws. */
  async open(key: string, source: Source): Promise<Lease> {
    const pooled = this.#sessions.get(key) ?? this.#add(key, source);
    pooled.users += 1;
    try {
      return this.#lease(pooled, await pooled.opening);
    } catch (error) {
      pooled.users -= 1;
      this.#sessions.delete(key);
      throw error;
    }
  }

  /** Number of open sessions. */
  get size(): number {
    return this.#sessions.size;
  }

  close(): void {
    clearInterval(this.#timer);
    for (const key of [...this.#sessions.keys()]) this.#drop(key);
  }

  #add(key: string, source: Source): Pooled {
    const listeners = new Set<() => void>();
    const tell = () => {
      for (const listener of listeners) listener();
    };
    const pooled = { opening: OpenedSession.open(source, tell), listeners, users: 0, idleSince: 0 };
    this.#sessions.set(key, pooled);
    return pooled;
  }

  #lease(pooled: Pooled, opened: OpenedSession): Lease {
    let own: (() => void) | undefined;
    return {
      opened,
      onChange: (listener) => {
        own = listener;
        pooled.listeners.add(listener);
      },
      release: () => {
        if (own !== undefined) pooled.listeners.delete(own);
        pooled.users -= 1;
        pooled.idleSince = performance.now();
        const idle = [...this.#sessions.values()].filter(({ users }) => users === 0).length;
        if (idle > MOST_IDLE) this.#closeIdle(performance.now(), idle - MOST_IDLE);
      },
    };
  }

  /** Closes sessions that were used last before a time, longest unused first. */
  #closeIdle(before: number, most = Number.POSITIVE_INFINITY): void {
    const idle = [...this.#sessions].filter(([, { users, idleSince }]) => users === 0 && idleSince <= before);
    idle.sort(([, a], [, b]) => a.idleSince - b.idleSince);
    for (const [key] of idle.slice(0, most)) this.#drop(key);
  }

  #drop(key: string): void {
    const pooled = this.#sessions.get(key);
    this.#sessions.delete(key);
    void pooled?.opening.then(
      (opened) => opened.close(),
      () => {},
    );
  }
}
