/** The files of two branches: what each changed since they diverged, and how their tips differ. */
import type { EntryId } from "@bough/session/entry/index.js";
import { commonAncestor, type TreeSource } from "@bough/session/tree/index.js";
import type { FileDifference } from "@bough/session/view/door.js";
import { type ChangedFiles, diffFiles, filesBetween } from "./diff-files.js";
import { stateNumber } from "./state-entry.js";
import { hasFileRecords } from "./steps-between.js";
import type { BlobStore } from "./store/blob-store.js";

export interface ComparedFiles extends Pick<ChangedFiles, "unread" | "skipped"> {
  /** Paths that changed since the branches diverged, sorted. */
  readonly changed: {
    readonly onlyA: readonly string[];
    readonly both: readonly string[];
    readonly onlyB: readonly string[];
  };
  /** From a to b, loaded one at a time so that many contents are never in memory at once. */
  readonly differences: AsyncIterable<FileDifference>;
}

interface CompareOptions {
  readonly store: BlobStore;
  readonly signal?: AbortSignal;
}

/** Undefined if the session has no records of files. */
export async function compareFiles(
  source: Pick<TreeSource, "tree" | "entryAt">,
  tips: { readonly a: EntryId; readonly b: EntryId },
  { store, signal }: CompareOptions,
): Promise<ComparedFiles | undefined> {
  if (!hasFileRecords(source)) return undefined;
  const { tree } = source;
  const numberOf = (id: EntryId) => stateNumber(source, tree.ids.findText(id));
  const [a, b] = [numberOf(tips.a), numberOf(tips.b)];
  // A side that starts after a step restores what that step changed: this is not a change of its own.
  const shared = stateNumber(source, commonAncestor(tree, a, b));
  const pathsTo = async (to: number) =>
    (await filesBetween(source, { from: shared, to }, { store })).changes.map(({ path }) => path);
  const [onA, onB] = [new Set(await pathsTo(a)), new Set(await pathsTo(b))];
  const found = await filesBetween(source, { from: a, to: b }, { store });
  return {
    changed: {
      onlyA: [...onA].filter((path) => !onB.has(path)),
      both: [...onA].filter((path) => onB.has(path)),
      onlyB: [...onB].filter((path) => !onA.has(path)),
    },
    differences: diffFiles(found, { store, signal }),
    unread: found.unread,
    skipped: found.skipped,
  };
}
