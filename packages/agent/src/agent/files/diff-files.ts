/** How files differ between two positions, or between a position and the disk. */

import type { EntryId, SkippedFile } from "@bough/session/entry/index.js";
import { entryNotFound } from "@bough/session/entry/internal.js";
import { boughHome } from "@bough/session/session/index.js";
import type { FileDifference } from "@bough/session/view/door.js";
import {
  BlobStore,
  countDifferences,
  diffFiles,
  filesBetween,
  filesToDisk,
  sessionRoot,
  stateNumber,
} from "@bough/workbench/checkpoint/index.js";
import type { AgentParts } from "../agent-parts.js";

/** Which differences `AgentSession.diffFiles` returns. */
export interface DiffFilesOptions {
  /** Paths of the root, or folders. Default: all. */
  readonly paths?: readonly string[];
  /** Number of differences to skip. */
  readonly skip?: number;
  readonly signal?: AbortSignal;
}

/** What differs, by path. */
export interface FilesDifference {
  readonly root: string;
  /** The number of files that differ, including skipped ones. */
  readonly total: number;
  /** Entries whose list of changes is not on this machine; their changes are not in `files`. */
  readonly unread: readonly EntryId[];
  /** Changed files that are not recorded, each with the latest reason. */
  readonly skipped: readonly SkippedFile[];
  /** Computed lazily, one by one. */
  readonly files: AsyncIterable<FileDifference>;
}

interface DiffRequest extends DiffFilesOptions {
  readonly from: EntryId | null;
  readonly to: EntryId | null | "disk";
}

/** Throws `files-off` if the folder of the session is not recorded, and `entry-not-found`. */
export async function diffAgentFiles(parts: AgentParts, request: DiffRequest): Promise<FilesDifference> {
  const { session, cwd, files, contents } = parts;
  const { from, to, paths, skip, signal } = request;
  await files?.settled();
  const source = session.getSource();
  const numberOf = (id: EntryId | null) => {
    if (id === null) return -1;
    const number = source.tree.ids.findText(id);
    if (number < 0) throw entryNotFound(id);
    // Records after the last answer belong to the current position.
    return number === source.leaf ? number : stateNumber(source, number);
  };
  const home = files?.options.home ?? boughHome();
  const { root, store: folder } = await sessionRoot({ sessionCwd: session.getCwd(), cwd, home });
  const store = new BlobStore(folder, { contents });
  const options = { store, paths, signal };
  const found =
    to === "disk"
      ? await filesToDisk(source, numberOf(from), { ...options, root })
      : await filesBetween(source, { from: numberOf(from), to: numberOf(to) }, options);
  return {
    root,
    total: countDifferences(found),
    unread: found.unread,
    skipped: found.skipped,
    files: diffFiles(found, { store, signal, skip, disk: to === "disk" ? root : undefined }),
  };
}
