/**
 * A cursor in the bytes of a session: how far a client has read, and a checksum of what was before it (decision 56). It
 * is all that the server needs to continue, so nothing is kept for a client that is away, and a restart loses nothing.
 */
import { closeSync, openSync, readSync } from "node:fs";
import { attempt } from "@bough/session/text/index.js";
import { type Mark, markAt } from "../../store/internal.js";

/** A hash of this many bytes tells whether the file is still the one that was read. */
const CHECKED = 1024;

export function cursorText({ at, check }: Mark): string {
  return `${at}-${check}`;
}

/** Undefined for anything that no server wrote. */
export function cursorIn(text: string): Mark | undefined {
  const [, at, check] = /^(\d{1,15})-([0-9a-f]{12})$/.exec(text) ?? [];
  return at === undefined || check === undefined ? undefined : { at: Number(at), check };
}

/** The mark at an offset of a file as it is now; undefined if the file is shorter, or cannot be read. */
export function markInFile(path: string, at: number): Mark | undefined {
  return attempt(() => {
    const file = openSync(path, "r");
    try {
      const start = Math.max(0, at - CHECKED);
      const before = Buffer.alloc(at - start);
      return readSync(file, before, 0, before.length, start) === before.length ? markAt(at, before) : undefined;
    } finally {
      closeSync(file);
    }
  });
}
