/**
 * Creates files on other threads before they are written. ext4 is slow at creating files in a folder where many were
 * just deleted; meanwhile contents can be read.
 */
import { closeSync, open } from "node:fs";
import { promisify } from "node:util";
import { PRIVATE } from "./write-new.js";

const openLater = promisify(open);

/** Files open at a time. */
const AHEAD = 100;

export class FilesAhead {
  readonly #paths: Iterator<string>;
  readonly #opening = new Map<string, Promise<number>>();

  /** Call `take` in this order. */
  constructor(paths: Iterable<string>) {
    this.#paths = paths[Symbol.iterator]();
    for (let count = 0; count < AHEAD; count++) this.#openNext();
  }

  #openNext(): void {
    const next = this.#paths.next();
    if (next.done === true) return;
    const opening = openLater(next.value, "wx", PRIVATE);
    // An early failure must not be an unhandled rejection.
    opening.catch(() => {});
    this.#opening.set(next.value, opening);
  }

  /** The descriptor of a new, empty file, which the caller must close. Throws if it cannot be created. */
  async take(path: string): Promise<number> {
    const opening = this.#opening.get(path);
    if (opening === undefined) throw new Error(`bug: ${path} is taken out of order`);
    const file = await opening;
    this.#opening.delete(path);
    this.#openNext();
    return file;
  }

  /** Creates no more files. Files that were not taken are not deleted. */
  async close(): Promise<void> {
    for (const one of await Promise.allSettled(this.#opening.values())) {
      if (one.status === "fulfilled") closeSync(one.value);
    }
    this.#opening.clear();
  }
}
