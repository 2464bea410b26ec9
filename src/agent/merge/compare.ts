/** Two branches side by side: where they parted, what each did, what each ended with. Pure; asks no model. */
import { callsIn, type EntryId, entryText, roleIn, type SessionEntry, startsTurn } from "../../entry/index.js";
import { entryNotFound } from "../../entry/internal.js";
import type { SessionManager } from "../../session/index.js";
import { pathBelow } from "../../session/internal.js";
import type { BranchComparison, BranchSide } from "../../view/internal.js";
import { isError, totalsOf } from "../stats.js";
import { filesTouched } from "../summary/file-tracking.js";

/** Throws `Entry <id> not found`. If one tip is above the other, its side is empty. */
export function compareBranches(
  session: Pick<SessionManager, "getCommonAncestorId" | "getEntry" | "getLabel">,
  tips: { readonly a: EntryId; readonly b: EntryId },
): BranchComparison {
  for (const id of [tips.a, tips.b]) if (session.getEntry(id) === undefined) throw entryNotFound(id);
  const sharedId = session.getCommonAncestorId(tips.a, tips.b);
  const side = (tipId: EntryId): BranchSide => {
    const entries = pathBelow(session, tipId, sharedId);
    return {
      tipId,
      label: session.getLabel(tipId),
      steps: stepsOf(entries),
      totals: totalsOf(entries),
      files: filesTouched(entries),
      end: endOfBranch(entries),
    };
  };
  const a = side(tips.a);
  const b = side(tips.b);
  const inA = new Set(a.files.modifiedFiles);
  const inB = new Set(b.files.modifiedFiles);
  return {
    sharedId,
    a,
    b,
    changed: {
      onlyA: a.files.modifiedFiles.filter((path) => !inB.has(path)),
      both: a.files.modifiedFiles.filter((path) => inB.has(path)),
      onlyB: b.files.modifiedFiles.filter((path) => !inA.has(path)),
    },
  };
}

type Step = BranchSide["steps"][number];

function stepsOf(entries: readonly SessionEntry[]): BranchSide["steps"] {
  const steps: { -readonly [Key in keyof Step]: Step[Key] }[] = [];
  for (const entry of entries) {
    const starts = startsTurn(entry);
    const role = roleIn(entry);
    if (starts || (steps.length === 0 && (role === "assistant" || role === "toolResult"))) {
      const prompt = starts ? entryText(entry) : "";
      steps.push({ entryId: entry.id, prompt, toolCalls: 0, errors: 0, answer: "" });
    }
    const step = steps.at(-1);
    if (step === undefined) continue;
    step.toolCalls += callsIn(entry).length;
    if (isError(entry)) step.errors += 1;
    const text = role === "assistant" ? entryText(entry) : "";
    if (text.trim() !== "") step.answer = text;
  }
  return steps;
}

function endOfBranch(entries: readonly SessionEntry[]): BranchSide["end"] {
  for (const entry of entries.toReversed()) {
    const text = entryText(entry);
    if (entry.type === "branch_summary" || entry.type === "compaction") return { kind: "summary", text };
    if (startsTurn(entry)) return { kind: "prompt", text };
    const role = roleIn(entry);
    if (role === "assistant") return { kind: isError(entry) ? "failed" : "answer", text };
    if (role === "toolResult" || role === "bashExecution") return { kind: "tool", text };
  }
  return { kind: "empty", text: "" };
}
