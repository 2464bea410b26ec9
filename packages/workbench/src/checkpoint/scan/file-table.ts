/**
 * What a scan knows about files: for each path a quick signature and the matching state. A file whose signature did not
 * change is not read again.
 */
import { lstatSync, readFileSync, readlinkSync, type Stats } from "node:fs";
import { basename, join } from "node:path";
import type { FileDelta, FileState, SkippedFile } from "@bough/session/entry/index.js";
import { isFilePath, sameFile } from "@bough/session/entry/internal.js";
import { stateOf } from "../disk-file.js";
import type { KnownFile } from "./known-file.js";
import { isOddName, oddStats } from "./odd-names.js";
import type { LookOptions, ScanOutcome } from "./scanner.js";
import { isSettled, signatureOf } from "./signature.js";

/** No file is there. */
export const NOTHING: KnownFile = { signature: 0, state: null };

/**
 * Reads the current file at a path. Stores its content, unless `known` has the same signature. The folder above must be
 * real, not a link; `stats` are those of the path, if they were just taken.
 */
export async function lookAt(
  path: string,
  known: KnownFile | undefined,
  { root, store, largest, isLeftOut, room, stats: given }: LookOptions & { readonly stats?: Stats },
): Promise<KnownFile> {
  const skip = (why: SkippedFile["why"], size?: number): KnownFile => ({
    signature: 0,
    state: undefined,
    skipped: { path, why, ...(size === undefined ? {} : { size }) },
  });
  if (isLeftOut?.(path) === true) return NOTHING;
  if (!isFilePath(path) || isOddName(path)) {
    const there = given ?? oddStats(root, path);
    return there === undefined ? NOTHING : { ...skip("name"), signature: signatureOf(there) };
  }
  const file = join(root, path);
  let content: Buffer;
  let stats: Stats;
  try {
    stats = given ?? lstatSync(file);
    if (known?.signature === signatureOf(stats)) return known;
    if (stats.isSymbolicLink()) return { signature: signatureOf(stats), state: { link: readlinkSync(file) } };
    if (stats.isDirectory()) return NOTHING;
    if (!stats.isFile()) return skip("special");
    if (stats.size > largest) return { ...skip("too-large", stats.size), signature: signatureOf(stats) };
    if (room !== undefined) {
      if (stats.size > room.bytes) return { ...skip("not-stored", stats.size), signature: signatureOf(stats) };
      room.bytes -= stats.size;
    }
    content = readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP" ? NOTHING : skip("unreadable");
  }
  // A store that cannot be written is not a problem of this file, so that error is thrown.
  const hash = await store.put(content);
  return {
    signature: isStill(file, stats) ? signatureOf(stats) : 0,
    state: stateOf(stats, content, hash),
  };
}

/** False for a file that was written while it was read, or so recently that another write would not show. */
function isStill(file: string, before: Stats): boolean {
  try {
    const after = lstatSync(file);
    return signatureOf(after) === signatureOf(before) && isSettled(after);
  } catch {
    return false;
  }
}

/** What a scan found by comparing known files with those there now. */
export class FoundChanges {
  readonly #changes: FileDelta[] = [];
  readonly #skipped: SkippedFile[] = [];
  readonly #appeared: { readonly path: string; readonly state: FileState }[] = [];

  compare(path: string, old: KnownFile, now: KnownFile): void {
    if (isSameKnown(old, now)) return;
    if (old.state !== undefined && now.state !== undefined) {
      this.#changes.push({ path, before: old.state, after: now.state });
    } else this.#skipped.push(now.skipped ?? old.skipped ?? { path, why: "unreadable" });
  }

  /**
   * A file that existed before the last scan and is seen for the first time: it is no longer ignored, or its folder is
   * no longer a repository. No step created it, so going back must not delete it, unless the same file disappeared
   * elsewhere.
   */
  appear(path: string, { state }: KnownFile): void {
    if (state !== undefined && state !== null) this.#appeared.push({ path, state });
  }

  #addMoved(): void {
    const gone = new Map<string, FileState[]>();
    if (this.#appeared.length === 0) return;
    for (const { path, before, after } of this.#changes) {
      if (after === null) gone.set(basename(path), [...(gone.get(basename(path)) ?? []), before]);
    }
    for (const { path, state } of this.#appeared) {
      const isMoved = gone.get(basename(path))?.some((one) => sameFile(one, state)) === true;
      if (isMoved) this.#changes.push({ path, before: null, after: state });
    }
  }

  outcome(): ScanOutcome {
    this.#addMoved();
    return { changes: this.#changes.sort((a, b) => (a.path < b.path ? -1 : 1)), skipped: this.#skipped };
  }
}

export function isSameKnown(a: KnownFile, b: KnownFile): boolean {
  if (a.state === undefined || b.state === undefined) return a.state === b.state && a.signature === b.signature;
  return sameFile(a.state, b.state);
}
