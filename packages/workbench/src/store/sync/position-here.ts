/** Where this copy of a session is, while lines of others are appended to its file. */
import { statSync } from "node:fs";
import { SessionManager } from "@bough/session/session/index.js";

export interface Position {
  /** Undefined if no one has been in this copy yet: then it is wherever opening the file finds it. */
  now(): string | null | undefined;
  /** After lines were appended without moving: the file's size since then. */
  kept(size: number): void;
}

export interface PositionOptions {
  /** Given if the session is open here: it may have moved without writing it. */
  readonly own?: (() => string | null) | undefined;
  /** The size of a file to which only a first pull has written, so far; 0 if there is none. */
  readonly unseen?: number | undefined;
}

/** Asked right before lines are written: others may have moved since the sync began. */
export class PositionHere implements Position {
  readonly #file: string;
  readonly #own: (() => string | null) | undefined;
  #unseen: number | undefined;
  /** The file is opened again only if someone else wrote to it. */
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
