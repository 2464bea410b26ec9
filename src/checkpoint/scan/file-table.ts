/**
 * What a scan knows of files: for each path a quick signature and the state it stands for. A file whose signature did not
 * change is not read again.
 */
import type { BigIntStats } from "node:fs";
import { lstat, readFile, readlink } from "node:fs/promises";
import { join } from "node:path";
import type { FileState } from "../../entry/index.js";
import { isFilePath, type SkippedFile, sameFile } from "../../entry/internal.js";
import { modeOf } from "../disk-file.js";
import { type BlobStore, hashOf } from "../store/blob-store.js";

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

const NOTHING: KnownFile = { signature: "", state: null };

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
  try {
    const stats = await lstat(file, { bigint: true });
    const signature = signatureOf(stats);
    if (known?.signature === signature) return known;
    if (stats.isSymbolicLink()) return { signature, state: { link: await readlink(file) } };
    if (stats.isDirectory()) return NOTHING;
    if (!stats.isFile()) return skip("special");
    const size = Number(stats.size);
    if (size > largest) return { ...skip("too-large", size), signature };
    const content = await readFile(file);
    const state: FileState = {
      hash: hashOf(content),
      mode: modeOf({ mode: Number(stats.mode) }),
      size: content.length,
    };
    await store.put(content);
    const after = await lstat(file, { bigint: true });
    // Written while it was read, or so recently that another write would not show: it is read again the next time.
    return { signature: signatureOf(after) === signature && isSettled(after) ? signature : "", state };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP") return NOTHING;
    return skip("unreadable");
  }
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

export function isSameKnown(a: KnownFile, b: KnownFile): boolean {
  if (a.state === undefined || b.state === undefined) return a.state === b.state && a.signature === b.signature;
  return sameFile(a.state, b.state);
}
