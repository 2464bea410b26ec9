/** Summaries, compactions, and the positions where a merge or a cherry-pick added entries. */
import type {
  BranchSummaryEntry,
  CompactionEntry,
  CustomEntry,
  EntryId,
  ResetBoundaryEntry,
} from "../../entry/index.js";
import { counted, isRecord } from "../../text/index.js";
import type { NoteBlock } from "./block.js";
import { compactionWords, RESET_WORDS } from "./compaction-words.js";
import { copiesOrigin } from "./copies-run.js";
import { blockStart, textIn } from "./read-content.js";

/** The name of the branch that an entry ends: "#4 lexer". */
type BranchNamer = (id: EntryId) => string | undefined;

export function summaryNote(entry: BranchSummaryEntry, nameOf: BranchNamer): NoteBlock {
  const merged = isRecord(entry.details) ? entry.details.mergedTipId : undefined;
  const sourceId = typeof merged === "string" ? merged : textIn(entry.fromId);
  const name = nameOf(sourceId);
  const title =
    typeof merged === "string" ? `merged ${name ?? "another branch"}` : `summary of ${name ?? "another branch"}`;
  return {
    kind: "note",
    ...blockStart(entry, "note"),
    note: typeof merged === "string" ? "merge" : "summary",
    title,
    text: textIn(entry.summary),
    sourceId: sourceId === "" || sourceId === "root" ? undefined : sourceId,
  };
}

export function compactionNote(entry: CompactionEntry): NoteBlock {
  return {
    kind: "note",
    ...blockStart(entry, "note"),
    note: "compaction",
    title: compactionWords(entry),
    text: textIn(entry.summary),
    sourceId: undefined,
  };
}

/** For oh-my-pi's `/clear`. */
export function resetNote(entry: ResetBoundaryEntry): NoteBlock {
  const start = { kind: "note" as const, ...blockStart(entry, "note"), note: "compaction" as const };
  return { ...start, title: RESET_WORDS, text: "", sourceId: undefined };
}

/**
 * For the record above copies; undefined for any other extension state. `count` includes all records that it covers.
 */
export function originNote(entry: CustomEntry, nameOf: BranchNamer, count?: number): NoteBlock | undefined {
  const origin = copiesOrigin(entry);
  if (origin === undefined) return undefined;
  const { merge, sourceId } = origin;
  const name = sourceId === undefined ? undefined : nameOf(sourceId);
  const what = `${merge ? "merged" : "picked"} ${counted(count ?? origin.count, "entry", "entries")}`;
  return {
    kind: "note",
    ...blockStart(entry, "note"),
    note: merge ? "merge" : "cherry-pick",
    title: `${what} from ${name ?? "another branch"}`,
    text: "",
    sourceId,
  };
}
