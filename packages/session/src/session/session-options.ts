import { randomFillSync, randomUUID } from "node:crypto";
import { type EntryId, SessionError } from "../entry/index.js";
import type { Durability } from "../log/index.js";

/** How a session is opened. Everything has a default; time and IDs can be injected for tests and replays. */
export interface SessionOptions {
  /** Write nothing, not even an upgrade. */
  readonly readOnly?: boolean;
  /**
   * When to sync the disk. Every append has reached the operating system when it returns, whatever the setting; this
   * decides what a power failure can lose. `turn`, the default: `flush()`, which an agent awaits at the end of each
   * turn, and `close()`. `fsync`: before every append returns. `none`: only when you call `sync()`.
   */
  readonly durability?: Durability;
  /**
   * Bytes of lines that this session may hold as parsed entries and as a built context. `setSessionMemory` limits all
   * sessions together.
   */
  readonly cacheBytes?: number;
  readonly now?: () => Date;
  readonly newId?: (isTaken: (id: EntryId) => boolean) => EntryId;
  readonly newSessionId?: () => string;
}

export type FilledOptions = Required<Omit<SessionOptions, "cacheBytes">> & Pick<SessionOptions, "cacheBytes">;

export function fillOptions(options: SessionOptions = {}): FilledOptions {
  return {
    readOnly: options.readOnly ?? false,
    durability: options.durability ?? "turn",
    now: validClock(options.now),
    newId: options.newId ?? newEntryId,
    newSessionId: options.newSessionId ?? randomUUID,
    ...(options.cacheBytes === undefined ? {} : { cacheBytes: options.cacheBytes }),
  };
}

/** Wraps a clock so that an invalid time throws `bad-clock`. Default: the system clock. */
export function validClock(now: () => Date = () => new Date()): () => Date {
  return () => {
    const time: unknown = now();
    if (time instanceof Date && !Number.isNaN(time.getTime())) return time;
    throw new SessionError("bad-clock", "The clock of this session returned an invalid time", {
      hint: "Check the option now: it must return a valid Date.",
    });
  };
}

/** Random bytes cost the same for one ID as for a thousand. */
const POOL = Buffer.alloc(6 * 1024);
let used = POOL.length;

/** A new ID: 12 lowercase hex characters for which `isTaken` is false. */
function newEntryId(isTaken: (id: EntryId) => boolean): EntryId {
  for (;;) {
    if (used === POOL.length) {
      randomFillSync(POOL);
      used = 0;
    }
    const id = POOL.toString("hex", used, used + 6);
    used += 6;
    if (!isTaken(id)) return id;
  }
}
