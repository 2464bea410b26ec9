/** What is at a path below the root now. Links are never followed, neither the file's own nor one in a folder above it. */
import { readFileSync, readlinkSync, type Stats } from "node:fs";
import { join, sep } from "node:path";
import type { FileState } from "@bough/session/entry/index.js";
import type { BlockedWhy } from "@bough/session/view/door.js";
import { RealFolders, reachableStats } from "./real-folders.js";
import { hashOf } from "./store/blob-store.js";

export type DiskFile =
  | {
      readonly kind: "file";
      readonly state: FileState;
      readonly content?: Buffer;
      /** Taken before the content is read. */
      readonly stats?: Stats;
    }
  /** A folder, a socket, an unreadable file, a path through a link or a file, or an impossible path. */
  | { readonly kind: "blocked"; readonly why: BlockedWhy };

const NOTHING: DiskFile = { kind: "file", state: null };

/** Includes the content of a file, so that it can be stored without reading it again. */
export function diskFile(root: string, path: string, folders = new RealFolders(root)): DiskFile {
  const above = folders.above(path);
  const file = join(root, path);
  if (above === "missing") return canBeThere(file) ? NOTHING : { kind: "blocked", why: "unreachable" };
  if (above !== undefined) return { kind: "blocked", why: above };
  const stats = reachableStats(file);
  if (typeof stats === "string") return { kind: "blocked", why: stats };
  if (stats === undefined) return NOTHING;
  if (stats.isDirectory()) return { kind: "blocked", why: "folder" };
  try {
    if (stats.isSymbolicLink()) return { kind: "file", state: { link: readlinkSync(file) }, stats };
    if (!stats.isFile()) return { kind: "blocked", why: "special" };
    const content = readFileSync(file);
    return { kind: "file", state: stateOf(stats, content, hashOf(content)), content, stats };
  } catch (error) {
    // Deleted since the stat call.
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return NOTHING;
    return { kind: "blocked", why: "unreadable" };
  }
}

/** The longest name on common file systems, in bytes. */
const LONGEST_NAME = 255;

/** Below a missing folder the system does not report names that are too long. */
function canBeThere(file: string): boolean {
  return (
    reachableStats(file) !== "unreachable" &&
    file.split(sep).every((name) => name.length <= LONGEST_NAME / 4 || Buffer.byteLength(name) <= LONGEST_NAME)
  );
}

/** For a file whose content was just read. */
export function stateOf({ mode }: Pick<Stats, "mode">, content: Uint8Array, hash: string): FileState {
  const state = { hash, mode: (mode & 0o100) === 0 ? "644" : "755", size: content.length } as const;
  if ((mode & 0o644) === 0o644) return state;
  return { ...state, access: (mode & 0o666).toString(8).padStart(3, "0") };
}
