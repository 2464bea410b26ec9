/**
 * Brings changes that were made elsewhere, on another branch or in another folder, to the files as they are now: three
 * ways for each path. The base is what the change started from, theirs is what it led to, ours is on disk.
 *
 * How it works. `planTargets` compares the disk with the base: a file that is still the same becomes theirs, and every
 * other one is a conflict. Of those, each that can be combined is taken out here; the rest stay conflicts, to be asked
 * about by whole path. The result is a plan like any other, so that questions, protected paths, journal and records are
 * those of a restore. Contents that only the merge makes are not stored before it is applied.
 */
import type { FileDelta, FileState } from "@bough/session/entry/index.js";
import { sameFile } from "@bough/session/entry/internal.js";
import { WorkTurns } from "@bough/session/log/index.js";
import type { TreeSource } from "@bough/session/tree/index.js";
import { CheckpointError } from "../checkpoint-error.js";
import { diskFile } from "../disk-file.js";
import { planDifferences, planTargets, type RestorePlan, type RestoreRequest } from "../plan-restore.js";
import { RealFolders } from "../real-folders.js";
import type { FileConflict, PlannedFile, ProtectedFile } from "../restore/plan-files.js";
import type { BlobStore } from "../store/blob-store.js";
import { type FileSide, type MergedFile, mergeFile } from "./merge-file.js";

/** What was done to one path elsewhere. */
export interface PathChange {
  readonly path: string;
  /**
   * From which state to which, oldest first. Several if something in between is not brought: each is applied to what
   * the one before led to.
   */
  readonly legs: readonly Pick<FileDelta, "before" | "after">[];
  /** The machine that recorded it, if it is not this one. */
  readonly from?: string;
}

export interface MergedFilesPlan extends RestorePlan {
  /**
   * Stores the contents that the merge makes of these files. Call it before applying them. Throws `files-changed` if one
   * is no longer what the plan saw.
   */
  storeContents(files: readonly Pick<PlannedFile, "path" | "wanted">[]): Promise<void>;
}

interface MergeOptions extends Pick<RestoreRequest, "root" | "store" | "signal">, Pick<RestorePlan, "uncovered"> {}

/** Reads only. The session is asked for folders that exist without files. */
export async function planMergedFiles(
  changes: readonly PathChange[],
  source: Pick<TreeSource, "tree" | "entryAt">,
  options: MergeOptions,
): Promise<MergedFilesPlan> {
  const { root, store, signal } = options;
  const byPath = new Map(changes.map((change) => [change.path, change]));
  const targets = changes.flatMap(({ path, legs, from }) => {
    const [first, last] = [legs[0], legs.at(-1)];
    if (first === undefined || last === undefined) return [];
    // Several legs are never simply the last state.
    if (legs.length === 1 && sameFile(first.before, last.after)) return [];
    const expected = first.before;
    return [{ path, expected, wanted: last.after, byPerson: false, ...(from === undefined ? {} : { from }) }];
  });
  targets.sort((a, b) => (a.path < b.path ? -1 : 1));
  const plan = await planTargets(targets, source, options);
  const merging = new Merging({ root, store, byPath });
  const files: PlannedFile[] = [];
  const conflicts: FileConflict[] = [];
  const guarded: ProtectedFile[] = [];
  const turns = new WorkTurns();
  const pause = async () => {
    if (!turns.isDue) return;
    await turns.yieldNow();
    merging.folders.forget();
    signal?.throwIfAborted();
  };
  for (const file of plan.files) {
    await pause();
    if ((byPath.get(file.path)?.legs.length ?? 0) < 2) files.push(file);
    else {
      const merged = await merging.merge(file.path, file.present);
      if (merged.kind === "merged") files.push({ ...file, wanted: merged.state });
      else if (merged.kind === "clash")
        conflicts.push(clashing({ ...file, expected: file.present, why: "changed" }, merged));
    }
  }
  for (const conflict of plan.conflicts) {
    await pause();
    if (conflict.why !== "changed" || conflict.present === undefined) {
      conflicts.push(conflict);
      continue;
    }
    const merged = await merging.merge(conflict.path, conflict.present);
    const { why: _, expected: _expected, present, ...file } = conflict;
    if (merged.kind === "merged") files.push({ ...file, present, wanted: merged.state, merged: true });
    else if (merged.kind === "clash") conflicts.push(clashing(conflict, merged));
  }
  for (const one of plan.protected ?? []) {
    await pause();
    if (one.why === "git" || one.present === undefined) {
      guarded.push(one);
      continue;
    }
    const merged = await merging.merge(one.path, one.present);
    const { conflict: _, ...free } = one;
    if (merged.kind === "merged") guarded.push({ ...free, wanted: merged.state });
    else if (merged.kind === "clash") guarded.push(clashing({ ...one, conflict: "changed" }, merged));
  }
  const byName = (a: { readonly path: string }, b: { readonly path: string }) => (a.path < b.path ? -1 : 1);
  files.sort(byName);
  const { protected: _, ...rest } = plan;
  const merged = {
    ...rest,
    files,
    conflicts: conflicts.sort(byName),
    ...(guarded.length === 0 ? {} : { protected: guarded }),
    bytes: files.reduce((sum, { wanted }) => sum + (wanted !== null && "size" in wanted ? wanted.size : 0), 0),
  };
  return {
    ...merged,
    differences: (stop) => planDifferences(merged, { store: merging, signal: stop }),
    storeContents: (chosen) => merging.store(chosen),
  };
}

function clashing<Conflict extends FileConflict | ProtectedFile>(
  conflict: Conflict,
  { clash, marked }: Extract<MergedFile, { kind: "clash" }>,
): Conflict {
  return { ...conflict, clash, ...(marked === undefined ? {} : { marked: marked.state }) };
}

/** Contents that the merge makes are made again when they are needed, so that a plan for thousands of files is small. */
class Merging {
  readonly folders: RealFolders;
  readonly #root: string;
  readonly #store: BlobStore;
  readonly #byPath: ReadonlyMap<string, PathChange>;
  /** Paths by the hash of a content that only the merge makes, and what was on disk then. */
  readonly #made = new Map<string, { readonly path: string; readonly present: FileState }>();

  constructor(parts: {
    readonly root: string;
    readonly store: BlobStore;
    readonly byPath: ReadonlyMap<string, PathChange>;
  }) {
    this.#root = parts.root;
    this.#store = parts.store;
    this.#byPath = parts.byPath;
    this.folders = new RealFolders(parts.root);
  }

  /** What is on disk must still be `present`. */
  async merge(path: string, present: FileState): Promise<MergedFile> {
    const disk = diskFile(this.#root, path, this.folders);
    // Changed since it was compared; applying the plan would find out.
    if (disk.kind !== "file" || !sameFile(disk.state, present)) return { kind: "clash", clash: "missing" };
    const start: FileSide = { state: disk.state, content: disk.content };
    const merged = await this.#through(start, this.#byPath.get(path)?.legs ?? []);
    for (const side of sidesOf(merged)) {
      const hash = hashIn(side.state);
      if (hash !== undefined && !this.#store.has(hash)) this.#made.set(hash, { path, present });
    }
    return merged;
  }

  async #through(start: FileSide, legs: PathChange["legs"]): Promise<MergedFile> {
    let now = start;
    for (const [at, { before, after }] of legs.entries()) {
      const merged = mergeFile({ base: await this.#side(before), ours: now, theirs: await this.#side(after) });
      // Markers of an earlier change would be merged like text.
      if (merged.kind === "clash") return at === legs.length - 1 ? merged : { kind: "clash", clash: merged.clash };
      if (merged.kind === "merged") now = { state: merged.state, content: merged.content };
    }
    return sameFile(now.state, start.state) ? { kind: "same" } : { kind: "merged", ...now };
  }

  async #side(state: FileState): Promise<FileSide> {
    const hash = hashIn(state);
    if (hash === undefined) return { state, content: undefined };
    try {
      return { state, content: await this.#store.get(hash) };
    } catch (error) {
      if (!(error instanceof CheckpointError)) throw error;
      return { state, content: "missing" };
    }
  }

  /** A stored content, or one that the merge makes. */
  async get(hash: string): Promise<Buffer> {
    const made = this.#made.get(hash);
    return made === undefined ? this.#store.get(hash) : this.#make(hash, made);
  }

  async #make(
    hash: string,
    { path, present }: { readonly path: string; readonly present: FileState },
  ): Promise<Buffer> {
    for (const { state, content } of sidesOf(await this.merge(path, present))) {
      if (hashIn(state) === hash && Buffer.isBuffer(content)) return content;
    }
    throw new CheckpointError("files-changed", `${path} changed while it was about to be merged`, {
      data: { path },
      hint: "Nothing was merged. Look at the plan again.",
    });
  }

  async store(files: readonly Pick<PlannedFile, "path" | "wanted">[]): Promise<void> {
    for (const { wanted } of files) {
      const hash = hashIn(wanted);
      const made = hash === undefined ? undefined : this.#made.get(hash);
      if (hash !== undefined && made !== undefined) await this.#store.put(await this.#make(hash, made), { hash });
    }
  }
}

function sidesOf(merged: MergedFile): readonly FileSide[] {
  if (merged.kind === "same") return [];
  if (merged.kind === "merged") return [merged];
  return merged.marked === undefined ? [] : [merged.marked];
}

function hashIn(state: FileState): string | undefined {
  return state !== null && "hash" in state ? state.hash : undefined;
}
