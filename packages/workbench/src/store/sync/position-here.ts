/** Tracks the position of this copy while lines from others are appended to its file. */
import { statSync } from "node:fs";
import { SessionManager } from "@bough/session/session/index.js";

export interface Position {
  /** Undefined if this copy has not been opened yet: its position is then wherever opening the file finds it. */
  now(): string | null | undefined;
  /** Call it after appending lines without moving, with the file's new size. */
  kept(size: number): void;
}

export interface PositionOptions {
  /** Set if the session is open here, because it may have moved without writing that down. */
  readonly own?: (() => string | null) | undefined;
  /** The size so far of a file that only an unfinished first pull has written to; 0 if there is no file. */
  readonly unseen?: number | undefined;
}

/** Looked up right before lines are written, because others may have moved since the sync began. */
export class PositionHere implements Position {
  readonly #file: string;
  readonly #own: (() => string | null) | undefined;
  #unseen: number | undefined;
  /** Avoids opening the file again unless someone else wrote to it. */
  #known: { readonly size: number; readonly position: string | null } | undefined;

  constructor(file: string, { own, unseen }: PositionOptions) {
    this.#file = file;
    this.#own = own;
    this.#unseen = unseen;
  }

  now(): string | null | undefined {
    const size = statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0;
    if (size === 0 || size === this.#unseen) return undefined;
    this.#unseen = undefined;
    if (this.#own !== undefined) return this.#own();
    if (this.#known?.size !== size) this.#known = { size, position: positionIn(this.#file) };
    return this.#known.position;
  }

  kept(size: number): void {
    if (this.#unseen !== undefined) this.#unseen = size;
    else if (this.#known !== undefined) this.#known = { ...this.#known, size };
  }
}

function positionIn(file: string): string | null {
  const session = SessionManager.open(file, undefined, { readOnly: true });
  try {
    return session.getLeafId();
  } finally {
    session.close();
  }
}
