/** The effect of a file restore, as lines to draw. */
import type { FileState } from "../../entry/index.js";
import { counted, shortBytes, visibleText } from "../../text/index.js";
import { type Line, span } from "../line.js";
import type { BlockedWhy } from "./file-difference.js";

/** See `FilePlan` in the checkpoint room. */
export interface ShownPlan {
  readonly files: readonly {
    readonly path: string;
    readonly present: FileState;
    readonly wanted: FileState;
    readonly byPerson: boolean;
    readonly from?: string;
    readonly merged?: boolean;
  }[];
  readonly conflicts: readonly {
    readonly path: string;
    readonly why: ConflictWhy;
    readonly clash?: Clash | undefined;
    readonly from?: string;
  }[];
  readonly protected?: readonly { readonly path: string; readonly why: "git" | "runs"; readonly from?: string }[];
  readonly missing: readonly { readonly path: string; readonly why?: "missing" | "damaged" }[];
  /** Paths that changed on the way but are not recorded. */
  readonly uncovered?: readonly { readonly path: string }[];
  readonly bytes: number;
}

/**
 * Why a file cannot simply be restored. `changed`: it is neither as the session left it nor as it would become. `shared`:
 * it is, but another session changed it, or may have. Otherwise, what blocks the path.
 */
export type ConflictWhy = "changed" | "shared" | BlockedWhy;

const CONFLICT_WORDS: Readonly<Record<ConflictWhy, string>> = {
  changed: "changed outside of this session",
  shared: "may be another session's work",
  folder: "a folder is in its place",
  special: "not a regular file",
  unreadable: "not readable",
  "link-above": "its folder is a symbolic link",
  "file-above": "its folder is a file",
  unreachable: "its path cannot be reached here",
};

/**
 * Why both changes of a file cannot be combined in a merge: the same or neighboring `lines`, it is `binary` or `large`,
 * one side `deleted` it, it has a different `mode`, it is a `link` on one side, or a content is `missing` on this machine.
 */
export type Clash = "lines" | "binary" | "large" | "deleted" | "mode" | "link" | "missing";

const CLASH_WORDS: Readonly<Record<Clash, string>> = {
  lines: "both sides changed the same lines",
  binary: "both sides changed it, and it is not text",
  large: "both sides changed it, and it is too large to merge",
  deleted: "deleted on one side, changed on the other",
  mode: "only one side made it executable",
  link: "both sides changed it, and one made it a link",
  missing: "both sides changed it, and a stored version is missing",
};

const PROTECTED_WORDS = {
  git: "left alone: it belongs to git",
  runs: "left alone: it decides what runs",
} as const;

const MISSING_WORDS = { missing: "content not on this machine", damaged: "stored content damaged" } as const;

/** "M src/a.ts", "A new.txt", "D old.txt", "! mine.txt  changed outside of this session", "? lost.txt  …". */
export function filePlanLines({ files, conflicts, missing, protected: guarded = [] }: ShownPlan): Line[] {
  const lines: Line[] = [];
  for (const { path, present, wanted, byPerson, from, merged = false } of files) {
    const [sign, tone] =
      wanted === null
        ? (["D", "bad"] as const)
        : present === null
          ? (["A", "good"] as const)
          : (["M", "accent"] as const);
    lines.push([
      span(sign, tone),
      span(` ${shownName(path)}`),
      span(byPerson ? "  overwrites your own changes (saved first)" : "", "muted"),
      span(merged ? "  merged with the changes here" : "", "muted"),
      span(machineWords(from), "note"),
    ]);
  }
  for (const { path, why, clash, from } of conflicts)
    lines.push([
      span("!", "bad"),
      span(` ${shownName(path)}`),
      span(`  ${clash === undefined ? CONFLICT_WORDS[why] : CLASH_WORDS[clash]}${machineWords(from)}`, "note"),
    ]);
  for (const { path, why, from } of guarded)
    lines.push([
      span("!", "bad"),
      span(` ${shownName(path)}`),
      span(`  ${PROTECTED_WORDS[why]}${machineWords(from)}`, "note"),
    ]);
  for (const { path, why = "missing" } of missing)
    lines.push([span("?", "bad"), span(` ${shownName(path)}`), span(`  ${MISSING_WORDS[why]}`, "note")]);
  return lines;
}

/** "3 files to write (4.1 KB), 1 to delete, 1 conflict, 1 missing". */
export function filePlanTotals({ files, conflicts, missing, bytes, protected: guarded = [] }: ShownPlan): string {
  const gone = files.filter(({ wanted }) => wanted === null).length;
  const written = files.length - gone;
  const parts = [
    written > 0 ? `${counted(written, "file")} to write (${shortBytes(bytes)})` : "",
    gone > 0 ? `${written > 0 ? gone : counted(gone, "file")} to delete` : "",
    conflicts.length > 0 ? counted(conflicts.length, "conflict") : "",
    missing.length > 0 ? `${missing.length} missing` : "",
    guarded.length > 0 ? `${guarded.length} protected` : "",
  ];
  return parts.filter((part) => part !== "").join(", ") || "Nothing to restore";
}

function machineWords(from: string | undefined): string {
  return from === undefined ? "" : `  recorded on ${shownName(from)}`;
}

function shownName(path: string): string {
  return visibleText(path, { newlines: "escape" }).text;
}
