/** The names of branches, and how they ended. */
import { Kind } from "../../../entry/index.js";
import { firstWords } from "../../../text/index.js";
import { branchIndexOf, isPromptAt, type TreeSource } from "../../../tree/index.js";
import { messageIn } from "../../transcript/read-content.js";
import { contentWords } from "./content-words.js";
import { subagentName } from "./subagent-name.js";

/** The prompt that names a branch is not searched for further down than this. */
const PROMPT_DISTANCE = 50;

/** The label on its first entry or its tip, its first prompt, or its beginning. */
export function branchName(source: TreeSource, branch: number): string {
  return branchLabel(source, branch) ?? branchPrompt(source, branchIndexOf(source.tree).firstOf(branch));
}

/** The label that names a branch: on its first entry, otherwise on its tip. */
export function branchLabel(source: TreeSource, branch: number): string | undefined {
  const branches = branchIndexOf(source.tree);
  const label = source.labelOf(branches.firstOf(branch)) ?? source.labelOf(branches.tipOf(branch));
  return label === undefined ? undefined : firstWords(label.label, 60);
}

/** The first prompt at or below an entry, along the branch; for the conversation of a sub-agent, its task. */
export function branchPrompt(source: TreeSource, first: number): string {
  const { tree } = source;
  const branches = branchIndexOf(tree);
  const subagent = isPromptAt(tree, first) ? undefined : subagentName(source, first);
  if (subagent !== undefined) return subagent;
  let at = first;
  for (let steps = 0; at >= 0 && steps < PROMPT_DISTANCE; steps++, at = branches.firstChildOf(at)) {
    if (!isPromptAt(tree, at)) continue;
    const words = contentWords(messageIn(source.entryAt(at))?.content);
    if (words !== "") return words;
  }
  return startWords(source, first);
}

/** The name of a branch without a prompt. */
function startWords({ tree }: TreeSource, first: number): string {
  switch (first < 0 ? Kind.other : tree.kindOf(first)) {
    case Kind.branchSummary:
    case Kind.compaction:
      return "(starts with a summary)";
    case Kind.message:
      return "(starts with a reply)";
    default:
      return "(empty start)";
  }
}

/**
 * How the last reply of a path ended. `waiting`: a prompt without a reply. `running`: tools were called but have not
 * answered.
 */
export type BranchEnd = "finished" | "failed" | "stopped" | "waiting" | "running";

export function branchEnd(source: TreeSource, branch: number): BranchEnd {
  return endOfPath(source, branchIndexOf(source.tree).tipOf(branch));
}

/** Reads only the conversation entry at or above `n`. */
export function endOfPath(source: TreeSource, n: number): BranchEnd {
  const at = branchIndexOf(source.tree).conversationAt(n);
  if (at < 0) return "finished";
  const message = messageIn(source.entryAt(at));
  if (message?.role === "user") return "waiting";
  if (message?.role === "toolResult") return "running";
  if (message?.role !== "assistant") return "finished";
  if (message.stopReason === "error") return "failed";
  if (message.stopReason === "aborted") return "stopped";
  return message.stopReason === "toolUse" ? "running" : "finished";
}
