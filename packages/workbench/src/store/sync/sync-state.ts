/** How far a session was synced with a store. Kept next to the sessions; losing it costs time, never a line. */
import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { readTextFile, writeWhole } from "@bough/session/log/index.js";
import { fileNameOf } from "@bough/session/session/internal.js";
import { isRecord, parsedJson } from "@bough/session/text/index.js";
import type { Span } from "./local-lines.js";

/** A range of the file with the last bytes before its end: if those differ now, the file was replaced. */
export interface PulledSpan extends Span {
  readonly tail: string;
}

export interface SyncState {
  /** Everything before this offset of the file is in the store, or never leaves this machine. */
  readonly pushedTo: number;
  /** The last bytes before `pushedTo`: if they differ now, the file was replaced and the push starts over. */
  readonly tail: string;
  /** Ranges after `pushedTo` that were pulled, so the store has them. */
  readonly pulled: readonly PulledSpan[];
  /** Where to pull from. */
  readonly cursor?: string;
  /** The size of the file when everything was pushed and pulled. */
  readonly size: number;
  /** The file is incomplete: only a part was fetched, or fetching it was interrupted. */
  readonly partial?: true;
  /** It came from the store, so its folder here does not determine its project. */
  readonly guest?: true;
  /** The user allowed this session to be pushed although it may contain secrets: do not ask again. */
  readonly secretsAllowed?: true;
}

/** The cursor after pulling only a path: the next pull reads everything. */
export const PATH_ONLY = "";

export const NEW_STATE: SyncState = { pushedTo: 0, tail: "", pulled: [], size: -1 };

/** The sync states of sessions with one store. */
export class SyncStates {
  readonly home: string;
  readonly folder: string;

  /** `store` is the name or address of the store; each store has its own states. */
  constructor(home: string, store: string) {
    const key = createHash("sha256").update(store).digest("hex").slice(0, 16);
    this.home = home;
    this.folder = join(home, "stores", key);
  }

  get(sessionId: string): SyncState | undefined {
    const read = readTextFile(this.#file(sessionId));
    return read.kind === "text" ? stateOf(parsedJson(read.text)) : undefined;
  }

  set(sessionId: string, state: SyncState): void {
    writeWhole(this.#file(sessionId), [`${JSON.stringify(state)}\n`], { existing: "replace", durable: false });
  }

  delete(sessionId: string): void {
    rmSync(this.#file(sessionId), { force: true });
  }

  #file(sessionId: string): string {
    return join(this.folder, `${fileNameOf(sessionId)}.json`);
  }
}

function stateOf(value: unknown): SyncState | undefined {
  if (!isRecord(value)) return undefined;
  const { pushedTo, tail, pulled, cursor, size, partial, guest, secretsAllowed } = value;
  if (!isOffset(pushedTo) || typeof tail !== "string" || !Array.isArray(pulled) || typeof size !== "number")
    return undefined;
  if (!pulled.every(isPulledSpan)) return undefined;
  return {
    pushedTo,
    tail,
    pulled,
    size,
    ...(typeof cursor === "string" ? { cursor } : {}),
    ...(partial === true ? { partial } : {}),
    ...(guest === true ? { guest } : {}),
    ...(secretsAllowed === true ? { secretsAllowed } : {}),
  };
}

function isPulledSpan(span: unknown): span is PulledSpan {
  return isRecord(span) && isOffset(span.start) && isOffset(span.end) && typeof span.tail === "string";
}

function isOffset(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
