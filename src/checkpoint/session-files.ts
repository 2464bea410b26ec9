/**
 * The files of one session in one folder. After every step the log says what changed, so the state of the files at an
 * entry is the sum of what is on its path, and the files on disk are those of the leaf.
 *
 * Where the conversation moves and the files stay, that stops being true; `stay` remembers where the files are, and the
 * next record says how they differ from what the new branch left.
 */
import type { EntryId, FileDelta } from "../entry/index.js";
import { FILES_TYPE } from "../entry/index.js";
import type { FilesRecord, SkippedFile } from "../entry/internal.js";
import { sameFile } from "../entry/internal.js";
import type { SessionManager } from "../session/index.js";
import { fileTargets } from "../tree/index.js";
import { diskFile } from "./disk-file.js";
import { applyFiles, type SettledRestore, settleRestores } from "./restore/apply-files.js";
import { type FileConflict, type FilePlan, planFiles } from "./restore/plan-files.js";
import type { Scanner } from "./scan/scanner.js";
import { stepsBetween, storedRecord } from "./steps-between.js";
import type { BlobStore } from "./store/blob-store.js";

export interface SessionFilesOptions {
  readonly session: SessionManager;
  /** Paths are relative to it. */
  readonly root: string;
  readonly store: BlobStore;
  readonly scanner: Scanner;
}

export interface RecordedFiles {
  readonly entryId: EntryId;
  readonly changes: readonly FileDelta[];
  readonly skipped: readonly SkippedFile[];
}

/** What becomes of conflicts: the present file stays, or the one of the plan takes its place. */
export type ConflictChoice = "keep" | "take";

export interface RestoreChoices {
  readonly conflicts?: ConflictChoice | ReadonlyMap<string, ConflictChoice>;
  /** Only these paths, or what is below them. Default: all. */
  readonly paths?: readonly string[];
  readonly signal?: AbortSignal;
}

export interface RestoreOutcome {
  readonly kind: "done" | "unchanged";
  readonly written: readonly string[];
  readonly deleted: readonly string[];
  /** Conflicts that stayed as they are. */
  readonly kept: readonly string[];
  /** Paths whose content is not on this machine. They stayed as they are too. */
  readonly missing: readonly string[];
}

export class SessionFiles {
  readonly #options: SessionFilesOptions;
  #begun: Promise<readonly SettledRestore[]> | undefined;
  /** The entry whose files are on disk. Undefined: the leaf. */
  #filesAt: { readonly id: EntryId | null } | undefined;

  constructor(options: SessionFilesOptions) {
    this.#options = options;
  }

  /** Settles restores that were killed, and looks at everything once. To be awaited before the first change. */
  begin(): Promise<readonly SettledRestore[]> {
    this.#begun ??= this.#begin();
    return this.#begun;
  }

  async #begin(): Promise<readonly SettledRestore[]> {
    const settled = await settleRestores(this.#options.store.folder);
    await this.#options.scanner.scan();
    return settled;
  }

  /** Finds out what changed since the last look and writes it below the leaf. Undefined if nothing did. */
  async record(
    by: Pick<FilesRecord, "by" | "tool" | "callIds">,
    signal?: AbortSignal,
  ): Promise<RecordedFiles | undefined> {
    await this.begin();
    await this.recordStay();
    const { changes, skipped } = await this.#options.scanner.scan(signal);
    return this.#write({ ...by, changes, skipped });
  }

  /** The conversation moved and the files stayed. */
  stay(wasAt: EntryId | null): void {
    this.#filesAt ??= { id: wasAt };
  }

  /** Says, below the leaf, how the files differ from what this branch left. To be called before the conversation goes on. */
  async recordStay(): Promise<RecordedFiles | undefined> {
    const at = this.#filesAt;
    if (at === undefined) return undefined;
    const targets = fileTargets(await this.#way(at.id, this.#options.session.getLeafId()));
    const changes = targets.map(({ path, expected, wanted }) => ({ path, before: wanted, after: expected }));
    this.#filesAt = undefined;
    return this.#write({ by: "restore", changes, skipped: [] });
  }

  /** What a move of the files to an entry would do. Null is before the first entry. */
  async plan(to: EntryId | null, signal?: AbortSignal): Promise<FilePlan> {
    const { session, root, store } = this.#options;
    const from = this.#filesAt === undefined ? session.getLeafId() : this.#filesAt.id;
    const targets = fileTargets(await this.#way(from, to));
    return planFiles(targets, { root, store, ...(signal === undefined ? {} : { signal }) });
  }

  /**
   * Brings the files to a plan. What was there is stored first. Files that are kept although the plan has others for them
   * are the person's from then on: the record below the new leaf says so.
   */
  async restore(plan: FilePlan, choices: RestoreChoices = {}): Promise<RestoreOutcome> {
    const { store } = this.#options;
    const isChosen = pathFilter(choices.paths);
    const files = plan.files.filter(({ path }) => isChosen(path));
    const conflicts = plan.conflicts.filter(({ path }) => isChosen(path));
    const taken = conflicts.filter((conflict) => canTake(conflict) && choiceOf(conflict, choices) === "take");
    const all = [
      ...files,
      ...taken.map(({ path, present = null, wanted, byPerson }) => ({ path, present, wanted, byPerson })),
    ];
    await applyFiles(
      { ...plan, files: all },
      { store, ...(choices.signal === undefined ? {} : { signal: choices.signal }) },
    );
    // What was just written is known: nobody else did it.
    for (const { path, wanted } of all) this.#options.scanner.note(path, wanted);
    return {
      kind: all.length === 0 ? "unchanged" : "done",
      written: all.filter(({ wanted }) => wanted !== null).map(({ path }) => path),
      deleted: all.filter(({ wanted }) => wanted === null).map(({ path }) => path),
      kept: conflicts.filter((conflict) => !taken.includes(conflict)).map(({ path }) => path),
      missing: plan.missing.filter(({ path }) => isChosen(path)).map(({ path }) => path),
    };
  }

  /**
   * After a restore, or part of one, the files are those of the leaf again: what is not as the branch left it is recorded
   * below it. `plan` is what was restored, made for the entry that is the leaf now.
   */
  async arrive(plan: FilePlan, { written, deleted }: RestoreOutcome): Promise<RecordedFiles | undefined> {
    this.#filesAt = undefined;
    const changes: FileDelta[] = [];
    const done = new Set([...written, ...deleted]);
    for (const one of [...plan.files, ...plan.conflicts].filter(({ path }) => !done.has(path))) {
      const disk = await diskFile(this.#options.root, one.path);
      if (disk.kind !== "file" || sameFile(disk.state, one.wanted)) continue;
      if (disk.content !== undefined) await this.#options.store.put(disk.content);
      changes.push({ path: one.path, before: one.wanted, after: disk.state });
    }
    return this.#write({ by: "person", changes, skipped: [] });
  }

  async #write(found: {
    readonly by: FilesRecord["by"];
    readonly tool?: string;
    readonly callIds?: readonly string[];
    readonly changes: readonly FileDelta[];
    readonly skipped: readonly SkippedFile[];
  }): Promise<RecordedFiles | undefined> {
    const { session, store } = this.#options;
    const { by, tool, callIds, changes, skipped } = found;
    if (changes.length === 0 && skipped.length === 0) return undefined;
    const record: FilesRecord = {
      v: 1,
      by,
      ...(tool === undefined ? {} : { tool }),
      ...(callIds === undefined ? {} : { callIds }),
      changes,
      ...(skipped.length === 0 ? {} : { skipped }),
    };
    const entryId = session.appendCustomEntry(FILES_TYPE, await storedRecord(record, store));
    return { entryId, changes, skipped };
  }

  #way(from: EntryId | null, to: EntryId | null) {
    const source = this.#options.session.getSource();
    const numberOf = (id: EntryId | null) => (id === null ? -1 : source.tree.ids.findText(id));
    return stepsBetween(source, { from: numberOf(from), to: numberOf(to) }, this.#options.store);
  }
}

/** A folder or a device in the way is never taken away. */
function canTake({ present }: FileConflict): boolean {
  return present !== undefined;
}

function choiceOf({ path }: FileConflict, { conflicts = "keep" }: RestoreChoices): ConflictChoice {
  return typeof conflicts === "string" ? conflicts : (conflicts.get(path) ?? "keep");
}

function pathFilter(paths: readonly string[] | undefined): (path: string) => boolean {
  if (paths === undefined) return () => true;
  const chosen = paths.map((path) => path.replace(/\/+$/, ""));
  return (path) => chosen.some((one) => path === one || path.startsWith(`${one}/`) || one === ".");
}
