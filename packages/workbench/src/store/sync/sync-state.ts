/** How far a session was synced with a store. Kept beside the sessions; losing it costs time, never a line. */
import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { readTextFile, writeWhole } from "@bough/session/log/index.js";
import { fileNameOf } from "@bough/session/session/internal.js";
import { isRecord, parsedJson } from "@bough/session/text/index.js";
import type { Span } from "./local-lines.js";

/** A stretch of the file with the last bytes before its end: if they are others now, so is the file. */
export interface PulledSpan extends Span {
  readonly tail: string;
}

export interface SyncState {
  /** Everything before this offset of the file is in the store, or stays here. */
  readonly pushedTo: number;
  /** The last bytes before `pushedTo`: if they are others now, the file was replaced and the push starts over. */
  readonly tail: string;
  /** What was pulled and appended after `pushedTo`: the store has it. */
  readonly pulled: readonly PulledSpan[];
  /** Where to pull from. */
  readonly cursor?: string;
  /** The size of the file when everything was pushed and pulled. */
  readonly size: number;
  /** The file does not have everything yet: it was fetched in part, or fetching it was stopped. */
  readonly partial?: true;
  /** It came from the store: the folder it is in here does not say which project it belongs to. */
  readonly guest?: true;
  /** A person let this session leave although it may contain secrets: do not ask again. */
  readonly secretsAllowed?: true;
}

/** The cursor after nothing but a path came: the next pull looks at everything. */
export const PATH_ONLY = "";

export const NEW_STATE: SyncState = { pushedTo: 0, tail: "", pulled: [], size: -1 };

/** The states of the sessions that were synced with one store. */
export class SyncStates {
  readonly home: string;
  readonly folder: string;

  /** `store` is the name or address of the store: each has its own states. */
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
