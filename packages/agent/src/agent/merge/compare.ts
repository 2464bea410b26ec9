/** Compares two branches: where they split, what each did, how each ended. Pure; uses no model. */
import { callsIn, type EntryId, entryText, roleIn, type SessionEntry, startsTurn } from "@bough/session/entry/index.js";
import { entryNotFound } from "@bough/session/entry/internal.js";
import { inOneGo, inSlices, type Steps } from "@bough/session/log/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { defined } from "@bough/session/text/index.js";
import { pathTo } from "@bough/session/tree/index.js";
import type { BranchComparison, BranchSide } from "@bough/session/view/internal.js";
import { isError, TotalsCounter } from "../stats.js";
import { TouchedFiles } from "../summary/file-tracking.js";
import { estimateEntryTokens } from "../summary/token-estimate.js";

interface Tips {
  readonly a: EntryId;
  readonly b: EntryId;
}

/** Throws `Entry <id> not found`. If one tip is above the other, its side is empty. */
export function compareBranches(session: SessionManager, tips: Tips): BranchComparison {
  return inOneGo(comparing(session, tips));
}

/** The same in slices, so that long branches do not block. */
export function compareBranchesInSlices(session: SessionManager, tips: Tips): Promise<BranchComparison> {
  return inSlices(comparing(session, tips));
}

function* comparing(session: SessionManager, tips: Tips): Steps<BranchComparison> {
  const sharedId = splitOf(session, tips);
  const a = yield* sideSteps(session, tips.a, sharedId);
  const b = yield* sideSteps(session, tips.b, sharedId);
  return comparison(sharedId, a, b);
}

/** Holds one entry at a time. */
function* sideSteps(session: SessionManager, tipId: EntryId, sharedId: EntryId | null): Steps<BranchSide> {
  const { tree, entryAt } = session.getSource();
  const path = pathTo(tree, tree.ids.findText(tipId));
  const shared = sharedId === null ? -1 : tree.ids.findText(sharedId);
  const counter = new SideCounter();
  for (let i = path.indexOf(shared) + 1; i < path.length; i++) {
    counter.add(entryAt(path[i] as number));
    yield;
  }
  return counter.side(tipId, session.getLabel(tipId));
}

function splitOf(session: SessionManager, { a, b }: Tips): EntryId | null {
  for (const id of [a, b]) if (session.getEntry(id) === undefined) throw entryNotFound(id);
  return session.getCommonAncestorId(a, b);
}

function comparison(sharedId: EntryId | null, a: BranchSide, b: BranchSide): BranchComparison {
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

/** Accumulates one side, entry by entry, oldest first. */
class SideCounter {
  readonly #steps: { -readonly [Key in keyof Step]: Step[Key] }[] = [];
  readonly #totals = new TotalsCounter();
  readonly #files = new TouchedFiles();
  #tokens = 0;
  #end: BranchSide["end"] = { kind: "empty", text: "" };

  add(entry: SessionEntry): void {
    this.#totals.add(entry);
    this.#tokens += estimateEntryTokens(entry);
    this.#files.add(entry);
    this.#end = endAt(entry) ?? this.#end;
    const steps = this.#steps;
    const starts = startsTurn(entry);
    const role = roleIn(entry);
    if (starts || (steps.length === 0 && (role === "assistant" || role === "toolResult"))) {
      const prompt = starts ? entryText(entry) : "";
      steps.push({ entryId: entry.id, prompt, toolCalls: 0, errors: 0, answer: "" });
    }
    const step = steps.at(-1);
    if (step === undefined) return;
    step.toolCalls += callsIn(entry).length;
    if (isError(entry)) step.errors += 1;
    const text = role === "assistant" ? entryText(entry) : "";
    if (text.trim() !== "") step.answer = text;
  }

  side(tipId: EntryId, label: BranchSide["label"]): BranchSide {
    const [totals, files] = [this.#totals.totals(), this.#files.details()];
    const size = { totals, contextTokens: this.#tokens };
    return { tipId, ...defined({ label }), steps: this.#steps, ...size, files, end: this.#end };
  }
}

/** How a branch with this last entry ends; undefined if the entry has no content. */
function endAt(entry: SessionEntry): BranchSide["end"] | undefined {
  const text = entryText(entry);
  if (entry.type === "branch_summary" || entry.type === "compaction") return { kind: "summary", text };
  if (startsTurn(entry)) return { kind: "prompt", text };
  const role = roleIn(entry);
  if (role === "assistant") return { kind: isError(entry) ? "failed" : "answer", text };
  if (entry.type === "message" && entry.message.role === "bashExecution") {
    return { kind: "tool", text: `!${entry.message.command}` };
  }
  if (role === "toolResult") return { kind: "tool", text };
  return undefined;
}
