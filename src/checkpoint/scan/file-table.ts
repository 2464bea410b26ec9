/**
 * What a scan knows of files: for each path a quick signature and the state it stands for. A file whose signature did not
 * change is not read again.
 */
import type { BigIntStats } from "node:fs";
import { lstat, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import type { FileDelta, FileState } from "../../entry/index.js";
import { isFilePath, type SkippedFile, sameFile } from "../../entry/internal.js";
import { modeOf } from "../disk-file.js";
import type { BlobStore } from "../store/blob-store.js";
import type { ScanOutcome } from "./scanner.js";

/** A path that is known: its state, or why it has none. */
export interface KnownFile {
  /** Empty: it has to be read. */
  readonly signature: string;
  readonly state: FileState | undefined;
  readonly skipped?: SkippedFile;
}

export interface LookOptions {
  readonly root: string;
  readonly store: BlobStore;
  /** Larger files are not kept. */
  readonly largest: number;
}

/** No file is there. */
export const NOTHING: KnownFile = { signature: "", state: null };

/** What is there now. Its content is stored, unless `known` has the same signature. */
export async function lookAt(path: string, known: KnownFile | undefined, options: LookOptions): Promise<KnownFile> {
  const { root, store, largest } = options;
  const skip = (why: SkippedFile["why"], size?: number): KnownFile => ({
    signature: "",
    state: undefined,
    skipped: { path, why, ...(size === undefined ? {} : { size }) },
  });
  if (!isFilePath(path) || path.includes("\uFFFD")) return skip("name");
  const file = join(root, path);
  let content: Buffer;
  let stats: BigIntStats;
  try {
    stats = await lstat(file, { bigint: true });
    if (known?.signature === signatureOf(stats)) return known;
    if (stats.isSymbolicLink()) return { signature: signatureOf(stats), state: { link: await readlink(file) } };
    if (stats.isDirectory()) return NOTHING;
    if (!stats.isFile()) return skip("special");
    const size = Number(stats.size);
    if (size > largest) return { ...skip("too-large", size), signature: signatureOf(stats) };
    content = await readFile(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP" ? NOTHING : skip("unreadable");
  }
  // A store that cannot be written is no matter of the file: that is thrown.
  const hash = await store.put(content);
  const state: FileState = { hash, mode: modeOf({ mode: Number(stats.mode) }), size: content.length };
  return { signature: (await isStill(file, stats)) ? signatureOf(stats) : "", state };
}

/** False for a file that was written while it was read, or so recently that another write would not show. */
async function isStill(file: string, before: BigIntStats): Promise<boolean> {
  const after = await lstat(file, { bigint: true }).catch(() => undefined);
  return after !== undefined && signatureOf(after) === signatureOf(before) && isSettled(after);
}

/** File systems count time in steps: two writes within one leave the same time. */
const TICK_NS = 50_000_000n;

function isSettled({ ctimeNs }: BigIntStats): boolean {
  return BigInt(Date.now()) * 1_000_000n - ctimeNs > TICK_NS;
}

/** Changes with every write, as far as the clock of the file system goes. */
export function signatureOf(stats: BigIntStats): string {
  const { size, mtimeNs, ctimeNs, ino, mode } = stats;
  return `${size} ${mtimeNs} ${ctimeNs} ${ino} ${mode}`;
}

/** What a scan found, by comparing what was known with what is there now. */
export class FoundChanges {
  readonly #changes: FileDelta[] = [];
  readonly #skipped: SkippedFile[] = [];

  compare(path: string, old: KnownFile, now: KnownFile): void {
    if (isSameKnown(old, now)) return;
    if (old.state !== undefined && now.state !== undefined) {
      this.#changes.push({ path, before: old.state, after: now.state });
    } else this.#skipped.push(now.skipped ?? old.skipped ?? { path, why: "unreadable" });
  }

  outcome(): ScanOutcome {
    return { changes: this.#changes.sort((a, b) => (a.path < b.path ? -1 : 1)), skipped: this.#skipped };
  }
}

function isSameKnown(a: KnownFile, b: KnownFile): boolean {
  if (a.state === undefined || b.state === undefined) return a.state === b.state && a.signature === b.signature;
  return sameFile(a.state, b.state);
}
