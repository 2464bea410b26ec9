/**
 * Brings files to the states of a plan.
 *
 * How it works, under a lock for the folder. Settle: finish or undo what a killed process left. Announce: the journal
 * lists every path with its present and wanted state. Secure: compare each file with the plan and put its current
 * content into the store, so going back is always possible. Prepare: write all new contents next to their targets; a
 * full disk, an inaccessible folder or a changed file ends the restore here, with everything as it was. Commit: check
 * once more that nothing changed, call `before` (the conversation moves there), and rename the journal, which is the
 * point of no return. Place (`finish-restore.ts`): delete what has to go; every other path loses its old file and gets
 * the new one by a rename; a file that someone saves in between is left alone and reported. A crash before the commit
 * changes nothing; after it, the next Bough in this folder finishes the restore. The journal is kept for an hour
 * (`placed-restores.ts`), because a power cut can still lose files that were renamed but not yet on disk;
 * `look-again.ts` writes those again from the store.
 */
import { randomUUID } from "node:crypto";
import { accessSync, constants, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { sameFile } from "@bough/session/entry/internal.js";
import { WorkTurns } from "@bough/session/log/index.js";
import { errorText, protectionOf } from "@bough/session/text/index.js";
import { CheckpointError } from "../checkpoint-error.js";
import { diskFile } from "../disk-file.js";
import { foldersAbove, RealFolders, statsOf } from "../real-folders.js";
import { temporaryName } from "../scan/left-out.js";
import { signatureOf } from "../scan/signature.js";
import type { BlobStore } from "../store/blob-store.js";
import { FilesAhead } from "./files-ahead.js";
import { type FinishOptions, finishRestore, signatureAt, takeBackRestore } from "./finish-restore.js";
import { commitJournal, type JournalFile, type JournalStep, syncJournal, writeJournal } from "./journal.js";
import { makePlacedFolder } from "./placed-restores.js";
import { type FilePlan, madeFree, type PlannedFile, wantedBelow } from "./plan-files.js";
import { withRestoreLock } from "./restore-lock.js";
import { settleLocked } from "./settle-restores.js";
import { TemporaryFolders } from "./temporary-folders.js";
import { groupOf, type NewFile, permissionsOf, writeBeside, writeInto } from "./write-new.js";

export interface ApplyOptions {
  readonly store: BlobStore;
  /**
   * Called when everything is prepared and nothing has changed yet. If it throws, nothing changes. Receives the ID of
   * the restore, for `isRestored`; undefined if there is nothing to do.
   */
  readonly before?: BeforeRestore;
  readonly signal?: AbortSignal;
}

export type BeforeRestore = (id: string | undefined) => void | Promise<void>;

/**
 * Returns the paths that were left as they are: something blocks them that this plan does not remove, or someone
 * changed them after the first file was placed.
 *
 * Throws `files-changed` if a file is no longer what the plan saw, `unsafe-path` if the plan wants a file below another
 * one or in a `.git`, and `restore-failed` if the system refuses; then everything is as it was. Once the first file is
 * placed, the restore runs to the end; if the system refuses then, it throws `restore-stopped`, and the next start or
 * restore in this root finishes it.
 */
export async function applyFiles(
  { root, files, folders }: FilePlan,
  options: ApplyOptions,
): Promise<readonly string[]> {
  const { store, signal, before = async () => {} } = options;
  for (const { path } of wantedBelow(files)) throw belowAnother(path);
  for (const { path } of files) if (protectionOf(path) === "git") throw ofGit(path);
  if (files.length === 0) {
    await before(undefined);
    return [];
  }
  let thrown: { readonly error: unknown } | undefined;
  const isLast = async (id: string | undefined) => {
    try {
      await before(id);
    } catch (error) {
      thrown = { error };
      throw error;
    }
  };
  try {
    const lock = { store: store.folder, root, signal };
    return await withRestoreLock(lock, async () => {
      await settleLocked({ store: store.folder, root, contents: store.contents });
      const { journal, seen, blocked } = await prepareAll({ root, files, folders, store, signal, before: isLast });
      return [...blocked, ...(journal === undefined ? [] : await complete(journal, { seen, left: new Set(blocked) }))];
    });
  } catch (error) {
    if (thrown !== undefined) throw thrown.error;
    if (error instanceof CheckpointError || signal?.aborted === true) throw error;
    throw new CheckpointError("restore-failed", `Files were not restored: ${errorText(error)}`, {
      data: { root },
      hint: "Nothing was changed. Check the free space and the permissions, and try again.",
      cause: error,
    });
  }
}

async function complete(file: JournalFile, options: Required<FinishOptions>): Promise<readonly string[]> {
  try {
    const left = await finishRestore(file, options);
    return left.filter((path) => !options.left.has(path));
  } catch (error) {
    if (error instanceof CheckpointError) throw error;
    throw new CheckpointError("restore-stopped", `The restore could not be completed: ${errorText(error)}`, {
      data: { root: file.journal.root },
      hint: "Check the free space and the permissions. Bough finishes the restore the next time it runs here.",
      cause: error,
    });
  }
}

interface Restore {
  readonly root: string;
  readonly files: readonly PlannedFile[];
  readonly folders: FilePlan["folders"] | undefined;
  readonly store: BlobStore;
  readonly signal: AbortSignal | undefined;
  readonly before: BeforeRestore;
}

interface Prepared {
  /** Undefined if there is nothing to do. */
  readonly journal: JournalFile | undefined;
  readonly seen: ReadonlyMap<string, number>;
  readonly blocked: readonly string[];
}

/** Everything up to and including the point of no return. If it throws, nothing is left behind. */
async function prepareAll({ root, files: all, folders, store, signal, before }: Restore): Promise<Prepared> {
  const pause = new Pause(new RealFolders(root), signal);
  // A command may have deleted the whole folder.
  if (statsOf(root) === undefined) mkdirSync(root, { recursive: true });
  makePlacedFolder(store.folder);
  let { id, journal, onDisk, ahead } = announce(store, { root, files: all, folders });
  try {
    // The journal is being synced while files are read.
    const looked = await secure({ root, files: all, store, pause });
    const seen = looked.filter((one) => !one.isBlocked);
    const blocked = looked.flatMap((one) => (one.isBlocked ? [one.path] : []));
    const signatures = new Map(seen.map(({ path, signature }) => [path, signature]));
    if (blocked.length > 0) {
      await ahead.close();
      takeBackRestore(journal);
      const files = all.filter(({ path }) => signatures.has(path));
      if (files.length === 0) {
        await before(undefined);
        return { journal: undefined, seen: signatures, blocked };
      }
      ({ id, journal, onDisk, ahead } = announce(store, { root, files, folders }));
    }
    const modes = new Map(seen.map(({ path, mode }) => [path, mode]));
    for (const steps of readTogether(journal.journal.steps)) {
      blocked.push(...(await prepare(steps, { root, store, pause, ahead, modes })));
    }
    await onDisk;
    // Changes made while the contents were written must be seen too.
    pause.folders.forget();
    for (const { path, signature } of seen) {
      if (signatureAt(pause.folders, path) !== signature) throw changedMeanwhile(path);
    }
    await before(id);
    return { journal: commitJournal(journal), seen: signatures, blocked };
  } catch (error) {
    await ahead.close();
    takeBackRestore(journal);
    throw error;
  }
}

interface Announced {
  readonly id: string;
  readonly journal: JournalFile;
  /** Await it before changing anything. */
  readonly onDisk: Promise<void>;
  /** The temporary files. */
  readonly ahead: FilesAhead;
}

function announce(
  store: BlobStore,
  { root, files, folders: own }: Pick<Restore, "root" | "files" | "folders">,
): Announced {
  const id = randomUUID();
  const folders = new TemporaryFolders(root);
  const steps = files.map((file, at) => stepOf(file, { temporary: temporaryName(id, at), folders }));
  const journal = writeJournal(store.folder, id, { root, steps, folders: own });
  const onDisk = syncJournal(journal);
  // An early failure must not be an unhandled rejection.
  onDisk.catch(() => {});
  const temporaries = steps.flatMap(({ temporary, wanted }) =>
    temporary === undefined || wanted === null || "link" in wanted ? [] : [join(root, temporary)],
  );
  return { id, journal, onDisk, ahead: new FilesAhead(temporaries) };
}

/** Lets other work run now and then; what is known about folders may be outdated afterwards. */
class Pause {
  readonly folders: RealFolders;
  readonly #signal: AbortSignal | undefined;
  readonly #turns = new WorkTurns();

  constructor(folders: RealFolders, signal: AbortSignal | undefined) {
    this.folders = folders;
    this.#signal = signal;
  }

  async ifDue(): Promise<void> {
    if (!this.#turns.isDue) return;
    await this.#turns.yieldNow();
    this.folders.forget();
    this.#signal?.throwIfAborted();
  }
}

/** The stats of a file just before it was read. */
interface SeenFile {
  readonly path: string;
  readonly signature: number;
  /** Permissions of an existing file. */
  readonly mode: number | undefined;
  /** Blocked by something that stays. */
  readonly isBlocked: boolean;
}

/** Stores the present contents, synced to disk, before they are replaced: going back is always possible. */
async function secure({
  root,
  files,
  store,
  pause,
}: Pick<Restore, "root" | "files" | "store"> & { readonly pause: Pause }): Promise<readonly SeenFile[]> {
  const seen: SeenFile[] = [];
  const hashes: string[] = [];
  // Not every path of a plan may be selected, so a path that the plan frees may still be blocked.
  const going = new Set(files.filter(({ wanted }) => wanted === null).map(({ path }) => path));
  for (const { path, present } of files) {
    await pause.ifDue();
    const disk = madeFree(diskFile(root, path, pause.folders), { root, path, going });
    const isAsPlanned = disk.kind === "file" ? sameFile(disk.state, present) : present === null;
    if (!isAsPlanned) throw changedMeanwhile(path);
    const stats = disk.kind === "file" ? disk.stats : undefined;
    const mode = permissionsOf(stats);
    const signature = stats === undefined ? 0 : signatureOf(stats);
    seen.push({ path, signature, mode, isBlocked: disk.kind === "blocked" });
    if (disk.kind !== "file" || disk.content === undefined) continue;
    const hash = disk.state !== null && "hash" in disk.state ? disk.state.hash : undefined;
    hashes.push(await store.put(disk.content, { checked: true, hash }));
  }
  // The new contents too: after a power cut, lost files are written again from there.
  for (const { wanted } of files) if (wanted !== null && "hash" in wanted) hashes.push(wanted.hash);
  await store.flush(hashes);
  return seen;
}

function changedMeanwhile(path: string): CheckpointError {
  return new CheckpointError("files-changed", `${path} changed while it was about to be restored`, {
    data: { path },
    hint: "Nothing was restored. Look at the plan again.",
  });
}

function belowAnother(path: string): CheckpointError {
  return new CheckpointError("unsafe-path", `${path} is below a path that is to become a file`, {
    data: { path },
    hint: "Nothing was restored. Choose one of the two paths.",
  });
}

function ofGit(path: string): CheckpointError {
  return new CheckpointError("unsafe-path", `${path} is part of a git folder on some systems`, {
    data: { path },
    hint: "Nothing was restored. git's files are never written.",
  });
}

function stepOf(
  { path, present, wanted }: PlannedFile,
  { temporary, folders }: { readonly temporary: string; readonly folders: TemporaryFolders },
): JournalStep {
  if (wanted === null) return { path, present, wanted };
  const folder = folders.for(path);
  return { path, present, wanted, temporary: folder === "" ? temporary : `${folder}/${temporary}` };
}

/** Contents held at a time while the system creates files. */
const HELD = { files: 64, bytes: 4 * 1024 * 1024 };

function* readTogether(steps: readonly JournalStep[]): Generator<readonly JournalStep[]> {
  let some: JournalStep[] = [];
  let bytes = 0;
  for (const step of steps) {
    some.push(step);
    if (step.wanted !== null && "size" in step.wanted) bytes += step.wanted.size;
    if (some.length < HELD.files && bytes < HELD.bytes) continue;
    yield some;
    [some, bytes] = [[], 0];
  }
  yield some;
}

interface Preparing {
  readonly root: string;
  readonly store: BlobStore;
  readonly pause: Pause;
  readonly ahead: FilesAhead;
  /** Permissions of existing files. */
  readonly modes: ReadonlyMap<string, number | undefined>;
}

/** Returns the paths of links that cannot be created here. */
async function prepare(
  steps: readonly JournalStep[],
  { root, store, pause, ahead, modes }: Preparing,
): Promise<readonly string[]> {
  const unmade: string[] = [];
  const contents: (Buffer | undefined)[] = [];
  for (const { wanted } of steps) {
    await pause.ifDue();
    contents.push(wanted !== null && "hash" in wanted ? await store.get(wanted.hash) : undefined);
  }
  for (const [at, { path, temporary, wanted }] of steps.entries()) {
    await pause.ifDue();
    // Find inaccessible folders before the first file is deleted.
    if (pause.folders.above(path) === undefined) accessSync(dirname(join(root, path)), constants.W_OK);
    else if (pause.folders.above(path) === "missing") accessSync(nearestFolder(path, pause.folders), constants.W_OK);
    if (temporary === undefined || wanted === null) continue;
    const beside = join(root, temporary);
    const group = pause.folders.above(path) === undefined ? groupOf(dirname(join(root, path))) : undefined;
    const given = { wanted, content: contents[at], mode: modes.get(path), group };
    if (!("link" in wanted)) writeInto(await ahead.take(beside), given);
    else if (!isLinkMade(beside, given)) unmade.push(path);
  }
  return unmade;
}

function nearestFolder(path: string, folders: RealFolders): string {
  const found = foldersAbove(path).find((folder) => folders.above(`${folder}/x`) === undefined);
  return join(folders.root, found ?? "");
}

/** If the file system does not support links or refuses the target, only that path fails. */
function isLinkMade(beside: string, given: NewFile): boolean {
  try {
    writeBeside(beside, given);
    return true;
  } catch (error) {
    if (NO_LINK.has((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}

const NO_LINK: ReadonlySet<string> = new Set(["EPERM", "EINVAL", "ENAMETOOLONG", "ENOSYS", "ENOTSUP", "EOPNOTSUPP"]);
