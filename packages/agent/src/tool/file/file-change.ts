/** What a change did to a file, for display: counts and a unified diff. */
import { lineDifference, quotedName } from "@bough/session/view/door.js";
import type { FilePreview } from "../tool.js";

export interface FileChange {
  readonly path: string;
  readonly change: "created" | "changed" | "unchanged";
  /** Number of lines. Absent if the versions are too different or not text. */
  readonly added?: number;
  readonly removed?: number;
  /** A unified diff. Absent for new files and if it would be too long. */
  readonly diff?: string;
}

const MAX_DIFF_LENGTH = 100_000;

interface ChangedText {
  readonly path: string;
  /** The path as the diff names it. */
  readonly shown: string;
  readonly before: string;
  readonly after: string;
}

export function fileChange({ path, shown, before, after }: ChangedText): FileChange {
  if (before === after) return { path, change: "unchanged" };
  const found = lineDifference(before, after);
  if (found === undefined) return { path, change: "changed" };
  const { added, removed, hunks } = found;
  const diff = `--- ${quotedName(shown)}\n+++ ${quotedName(shown)}\n${hunks}`;
  return { path, change: "changed", added, removed, ...(diff.length > MAX_DIFF_LENGTH ? {} : { diff }) };
}

/** What the user sees of a change before it is made. */
export function filePreview(planned: {
  readonly change: FileChange;
  /** The full new text, if there is no diff. */
  readonly text: string;
  /** Size of the existing file; undefined if there is none. */
  readonly bytes: number | undefined;
}): FilePreview {
  const { change, text, bytes } = planned;
  const { diff, added, removed } = change;
  if (bytes === undefined) return { kind: "create", text };
  if (diff === undefined || added === undefined || removed === undefined) return { kind: "replace", text, bytes };
  return { kind: "change", diff, added, removed };
}

/** `3 lines added, 1 removed`, or an empty string if there are no counts. */
export function countsOf({ added, removed }: FileChange): string {
  if (added === undefined || removed === undefined) return "";
  return `${added} ${added === 1 ? "line" : "lines"} added, ${removed} removed`;
}
