/** Two branches lined up: where they diverged, what each did, and how each ended. */
import type { EntryId } from "../../entry/index.js";
import { counted, firstWords, withoutControls } from "../../text/index.js";
import type { Totals } from "../stats/layout-stats.js";

/** One branch after the split, with one step for each prompt. */
export interface BranchSide {
  readonly tipId: EntryId;
  readonly label?: string;
  readonly steps: readonly {
    /** The prompt; or, if a branch starts in the middle of a turn, its first entry. */
    readonly entryId: EntryId;
    /** "" if a branch starts in the middle of a turn. */
    readonly prompt: string;
    readonly toolCalls: number;
    readonly errors: number;
    /** The agent's last text. */
    readonly answer: string;
  }[];
  readonly totals: Totals;
  /** Its estimated size for a model, in tokens, as a merge reports it. What its calls used is in `totals.usage`. */
  readonly contextTokens: number;
  readonly files: { readonly readFiles: readonly string[]; readonly modifiedFiles: readonly string[] };
  readonly end: {
    /** `empty`: no conversation after the split. */
    readonly kind: "answer" | "failed" | "prompt" | "tool" | "summary" | "empty";
    readonly text: string;
  };
}

export interface BranchComparison {
  /** The deepest shared entry; `null` if they have different roots. */
  readonly sharedId: EntryId | null;
  readonly a: BranchSide;
  readonly b: BranchSide;
  /** Changed files, sorted. */
  readonly changed: {
    readonly onlyA: readonly string[];
    readonly both: readonly string[];
    readonly onlyB: readonly string[];
  };
}

/** The part of a side that is drawn. */
export interface ComparedSide extends Pick<BranchSide, "tipId" | "steps" | "end" | "contextTokens"> {
  readonly totals: { readonly entries: number; readonly usage: { readonly dollars: number } };
}

export interface Comparison extends Pick<BranchComparison, "sharedId" | "changed"> {
  readonly a: ComparedSide;
  readonly b: ComparedSide;
}

interface ComparedBranch {
  readonly number: number;
  readonly name: string;
}

export type CompareTurn = BranchSide["steps"][number];

export interface CompareSide extends ComparedBranch, Pick<BranchSide, "tipId" | "end"> {
  readonly turns: readonly CompareTurn[];
  readonly entries: number;
  /** Its estimated size for a model. */
  readonly tokens: number;
  /** What its model calls cost, as far as prices are known. */
  readonly dollars: number;
}

/** Turns in order, side by side. */
interface CompareRow {
  readonly a: CompareTurn | undefined;
  readonly b: CompareTurn | undefined;
  /** Both prompts are the same. */
  readonly equal: boolean;
}

export interface CompareModel {
  /** `ahead`: one is further down the same path. `separate`: they share nothing. `same`: both are the same entry. */
  readonly kind: "sides" | "ahead" | "separate" | "same";
  readonly a: CompareSide;
  readonly b: CompareSide;
  readonly rows: readonly CompareRow[];
  readonly files: BranchComparison["changed"];
  /** Where they diverged. */
  readonly shared: CompareInput["shared"];
}

interface CompareInput {
  readonly comparison: Comparison;
  readonly a: ComparedBranch;
  readonly b: ComparedBranch;
  /** The text and time (in milliseconds) of the entry where they diverged. */
  readonly shared: { readonly text: string; readonly time: number } | null;
}

export function compareModel({ comparison, a, b, shared }: CompareInput): CompareModel {
  const left = sideOf(comparison.a, a);
  const right = sideOf(comparison.b, b);
  const separate = comparison.sharedId === null;
  return {
    kind: kindOf(left, right, separate),
    a: left,
    b: right,
    rows: separate ? [] : linedUp(left.turns, right.turns),
    files: comparedPaths(comparison.changed),
    shared: separate || shared === null ? null : { text: firstWords(shared.text), time: shared.time },
  };
}

/** One sentence for pairs that cannot be lined up; undefined if they can. */
export function compareText({ kind, a, b }: CompareModel): string | undefined {
  switch (kind) {
    case "same":
      return "Both are the same entry. There is nothing to compare.";
    case "separate":
      return "These branches share no entries; only their ends can be compared.";
    case "ahead": {
      const isLeftEarlier = a.turns.length === 0 && a.end.kind === "empty";
      const [above, below] = isLeftEarlier ? [a, b] : [b, a];
      if (a.number === b.number)
        return `Same branch: the ${isLeftEarlier ? "left" : "right"} side is ${counted(below.entries, "entry", "entries")} earlier.`;
      return `#${below.number} continues #${above.number} with ${counted(below.entries, "more entry", "more entries")}.`;
    }
    case "sides":
      return undefined;
  }
}

function kindOf(a: CompareSide, b: CompareSide, separate: boolean): CompareModel["kind"] {
  if (separate) return "separate";
  const empty = [a, b].filter(({ turns, end }) => turns.length === 0 && end.kind === "empty").length;
  return empty === 2 ? "same" : empty === 1 ? "ahead" : "sides";
}

function sideOf(side: ComparedSide, { number, name }: ComparedBranch): CompareSide {
  return {
    number,
    name: firstWords(name, 100),
    tipId: side.tipId,
    turns: side.steps.map((step) => ({
      ...step,
      prompt: withoutControls(step.prompt),
      answer: withoutControls(step.answer),
    })),
    entries: side.totals.entries,
    tokens: side.contextTokens,
    dollars: side.totals.usage.dollars,
    end: { kind: side.end.kind, text: firstWords(side.end.text) },
  };
}

function linedUp(a: readonly CompareTurn[], b: readonly CompareTurn[]): CompareRow[] {
  return Array.from({ length: Math.max(a.length, b.length) }, (_, index) => {
    const [left, right] = [a[index], b[index]];
    const equal = left !== undefined && left.prompt.trim() !== "" && left.prompt.trim() === right?.prompt.trim();
    return { a: left, b: right, equal };
  });
}

/** Makes paths safe to draw. */
export function comparedPaths({ onlyA, both, onlyB }: BranchComparison["changed"]): CompareModel["files"] {
  return { onlyA: onlyA.map(safePath), both: both.map(safePath), onlyB: onlyB.map(safePath) };
}

function safePath(path: string): string {
  return firstWords(path, 300);
}
