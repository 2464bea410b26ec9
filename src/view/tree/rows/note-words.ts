/** Rows of compactions, summaries and merges: what they are about, not what they say. */
import type { BranchSummaryEntry, CompactionEntry } from "../../../entry/index.js";
import { counted, isRecord } from "../../../text/index.js";
import { compactionWords } from "../../transcript/compaction-words.js";
import type { FactsSource } from "../facts-source.js";
import { branchName } from "./branch-name.js";

/** "compacted: context 41k → 3k tokens", "summary of #1, 7 entries", "merged #4 lexer". */
export function noteWords(from: FactsSource, n: number, entry: CompactionEntry | BranchSummaryEntry): string {
  if (entry.type === "compaction") return compactionWords(entry);
  const merged = isRecord(entry.details) ? entry.details.mergedTipId : undefined;
  const { source, branches } = from;
  const left = source.tree.ids.findText(
    typeof merged === "string" ? merged : String(entry.abandonedLeafId ?? entry.fromId),
  );
  if (left < 0) return typeof merged === "string" ? "merged another branch" : "summary of what was left";
  const branch = branches.branchOf(left);
  if (typeof merged === "string") return `merged #${branch} ${branchName(source, branch)}`;
  const shared = branches.commonAncestor(left, source.tree.parentOf(n));
  const entries = branches.depthAt(left) - branches.depthAt(shared);
  return `summary of #${branch}, ${counted(entries, "entry", "entries")}`;
}
