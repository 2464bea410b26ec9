import { randomUUID } from "node:crypto";
import type { EntryId } from "../entry/index.js";
import { newEntryId } from "./new-id.js";

/** How a session is opened. Everything has a default; time and ids can be given, for tests and for replays. */
export interface SessionOptions {
  /** Write nothing, not even an upgrade. */
  readonly readOnly?: boolean;
  /** `fsync`: every append is on the medium before it returns. Default `turn`: `sync()` and `close()` see to it. */
  readonly durability?: "turn" | "fsync";
  /** How many bytes of lines may be held as parsed entries. */
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
    now: options.now ?? (() => new Date()),
    newId: options.newId ?? newEntryId,
    newSessionId: options.newSessionId ?? randomUUID,
    ...(options.cacheBytes === undefined ? {} : { cacheBytes: options.cacheBytes }),
  };
}
