/** Summaries, compactions, and the places where a merge or a cherry-pick brought something. */
import type { BranchSummaryEntry, CompactionEntry, CustomEntry, EntryId } from "../../entry/index.js";
import { counted, shortCount } from "../text/short-amounts.js";
import type { NoteBlock } from "./block.js";
import { isRecord, textIn, timeOf } from "./read-content.js";

/** What the branch an entry ends is called: "#4 lexer". */
export type BranchNamer = (id: EntryId) => string | undefined;

/** The `customType` of the record above copies; see the agent's cherry-pick. */
const ORIGIN_TYPE = "bough.cherry-pick";

export function summaryNote(entry: BranchSummaryEntry, nameOf: BranchNamer): NoteBlock {
  const merged = isRecord(entry.details) ? entry.details.mergedTipId : undefined;
  const sourceId = typeof merged === "string" ? merged : textIn(entry.fromId);
  const name = nameOf(sourceId);
  const title =
    typeof merged === "string" ? `merged ${name ?? "another branch"}` : `summary of ${name ?? "another branch"}`;
  return {
    ...start(entry),
    note: typeof merged === "string" ? "merge" : "summary",
    title,
    text: textIn(entry.summary),
    sourceId: sourceId === "" || sourceId === "root" ? undefined : sourceId,
  };
}

/** How long the summary is says what is left: about four characters are a token. */
export function compactionNote(entry: CompactionEntry): NoteBlock {
  const before: unknown = entry.tokensBefore;
  const text = textIn(entry.summary);
  const known = typeof before === "number" && before > 0;
  return {
    ...start(entry),
    note: "compaction",
    title: known ? `compacted: ${shortCount(before)} → ${shortCount(text.length / 4)} tokens` : "compacted",
    text,
    sourceId: undefined,
  };
}

/** The record above copies; undefined for any other extension state. */
export function originNote(entry: CustomEntry, nameOf: BranchNamer): NoteBlock | undefined {
  if (entry.customType !== ORIGIN_TYPE || !isRecord(entry.data)) return undefined;
  const { via, sourceIds, tipId } = entry.data;
  const ids = Array.isArray(sourceIds) ? sourceIds.filter((id): id is string => typeof id === "string") : [];
  const sourceId = typeof tipId === "string" ? tipId : ids.at(-1);
  const name = sourceId === undefined ? undefined : nameOf(sourceId);
  const merge = via === "merge";
  const what = `${merge ? "merged" : "picked"} ${counted(ids.length, "entry", "entries")}`;
  return {
    ...start(entry),
    note: merge ? "merge" : "cherry-pick",
    title: `${what} from ${name ?? "another branch"}`,
    text: "",
    sourceId,
  };
}

function start(
  entry: BranchSummaryEntry | CompactionEntry | CustomEntry,
): Pick<NoteBlock, "kind" | "id" | "entryId" | "time"> {
  return { kind: "note", id: `${entry.id}:note`, entryId: entry.id, time: timeOf(entry) };
}
