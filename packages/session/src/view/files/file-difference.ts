/**
 * How a file differs between two states: the kind of change, line counts, and the diff as a patch that git can apply.
 */
import type { FileState } from "../../entry/index.js";
import { counted } from "../../text/index.js";

export interface FileDifference {
  /** Relative to the root, with `/`. */
  readonly path: string;
  readonly change: "added" | "deleted" | "changed" | "renamed" | "mode";
  /** The old path of a renamed file. */
  readonly from?: string;
  readonly before: FileState;
  readonly after: FileState;
  /** Line counts. Absent if there is no diff. */
  readonly added?: number;
  readonly removed?: number;
  /** The hunks of a unified diff. Absent if there is no diff; empty if the content is the same. */
  readonly hunks?: string;
  /**
   * Why there is no diff: the content is binary, missing on this machine or damaged; there is something other than a
   * file at the path; or the path leads through a link or a file.
   */
  readonly noDiff?: NoDiff;
}

/** Why there is no diff of a file. */
export type NoDiff = "binary" | "missing" | "damaged" | BlockedWhy;

/** What is at a path instead of a file that can be read. */
export type BlockedWhy = "folder" | "special" | "unreadable" | "link-above" | "file-above" | "unreachable";

/** `A`, `D`, `M`, `R`, and `X` for a changed executable bit. */
export function changeLetter({ change }: Pick<FileDifference, "change">): string {
  return { added: "A", deleted: "D", changed: "M", renamed: "R", mode: "X" }[change];
}

const NO_DIFF_WORDS: Readonly<Record<NoDiff, string>> = {
  binary: "binary",
  missing: "content not on this machine",
  damaged: "stored content damaged",
  folder: "a folder is in its place",
  special: "not a regular file",
  unreadable: "not readable",
  "link-above": "its folder is a symbolic link",
  "file-above": "its folder is a file",
  unreachable: "its path cannot be reached here",
};

/** "+3 -1", "binary, 4.1 KB", "mode 755". */
export function differenceWords(difference: FileDifference, bytes: (size: number) => string): string {
  const { change, added, removed, noDiff, before, after } = difference;
  if (noDiff !== undefined) {
    const size = after !== null && "size" in after ? after.size : before !== null && "size" in before ? before.size : 0;
    return noDiff === "binary" ? `binary, ${bytes(size)}` : NO_DIFF_WORDS[noDiff];
  }
  const counts = [added ? `+${added}` : "", removed ? `-${removed}` : ""].filter((part) => part !== "").join(" ");
  const [old, fresh] = [modeOf(before).slice(-3), modeOf(after).slice(-3)];
  const mode = before !== null && after !== null && old !== fresh ? (fresh === "000" ? "link" : `mode ${fresh}`) : "";
  const words = [counts, mode].filter((part) => part !== "").join(", ");
  return words === "" && (change === "added" || change === "deleted") ? "empty" : words;
}

/** "3 files changed, 12 lines added, 4 removed". */
export function differenceTotals(differences: Iterable<Pick<FileDifference, "added" | "removed">>): string {
  let [files, added, removed] = [0, 0, 0];
  for (const one of differences) {
    files += 1;
    added += one.added ?? 0;
    removed += one.removed ?? 0;
  }
  if (files === 0) return "No files differ.";
  const lines = [
    ...(added > 0 ? [`${counted(added, "line")} added`] : []),
    ...(removed > 0 ? [`${added > 0 ? removed : counted(removed, "line")} removed`] : []),
  ];
  return [`${counted(files, "file")} changed`, ...lines].join(", ");
}

/** A patch for one file, as written by `git diff`. A file without a diff gets a line with the reason. */
export function patchOf(difference: FileDifference): string {
  const { path, from = path, before, after, hunks, noDiff } = difference;
  const [old, fresh] = [quotedName(`a/${from}`), quotedName(`b/${path}`)];
  const head = [`diff --git ${old} ${fresh}`];
  if (before === null && after !== null) head.push(`new file mode ${modeOf(after)}`);
  else if (after === null && before !== null) head.push(`deleted file mode ${modeOf(before)}`);
  else if (modeOf(before) !== modeOf(after)) head.push(`old mode ${modeOf(before)}`, `new mode ${modeOf(after)}`);
  if (from !== path) head.push(`rename from ${quotedName(from)}`, `rename to ${quotedName(path)}`);
  if (noDiff !== undefined) {
    const sides = `${before === null ? "/dev/null" : old} and ${after === null ? "/dev/null" : fresh}`;
    head.push(noDiff === "binary" ? `Binary files ${sides} differ` : `No diff: ${NO_DIFF_WORDS[noDiff]}`);
  } else if (hunks !== undefined && hunks !== "") {
    head.push(`--- ${before === null ? "/dev/null" : old}`, `+++ ${after === null ? "/dev/null" : fresh}`);
  }
  return `${head.join("\n")}\n${hunks ?? ""}`;
}

/** Like git: an ambiguous name is quoted, with its special characters escaped. */
export function quotedName(name: string): string {
  if (!/[\x00-\x1f\x7f"\\]/.test(name)) return name;
  const escaped = name.replace(/[\x00-\x1f\x7f"\\]/g, (character) => {
    const short = SHORT_ESCAPES[character];
    return short ?? `\\${character.charCodeAt(0).toString(8).padStart(3, "0")}`;
  });
  return `"${escaped}"`;
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  "\n": "\\n",
  "\t": "\\t",
  "\r": "\\r",
  '"': '\\"',
  "\\": "\\\\",
};

/** The mode as git writes it; empty for no file. */
function modeOf(state: FileState): string {
  if (state === null) return "";
  return "link" in state ? "120000" : `100${state.mode}`;
}
