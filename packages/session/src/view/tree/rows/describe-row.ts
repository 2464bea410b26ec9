/** The content of a row, as data: the same text for a terminal, a page and a screen reader. */
import { Kind } from "../../../entry/index.js";
import { firstWords, grouped } from "../../../text/index.js";
import type { TreeModel } from "../tree-model.js";
import type { TreeState } from "../tree-state.js";
import type { BranchEnd } from "./branch-name.js";
import type { EntryFacts, EntryTrouble } from "./entry-facts.js";
import type { TreeRow } from "./tree-row.js";
import { changedFiles, recordedFiles } from "./turn-facts.js";

/** Names a symbol of `Glyphs`. */
export type RowSign =
  | "here"
  | "prompt"
  | "answer"
  | "tool"
  | "note"
  | "message"
  | "state"
  | "label"
  | "end"
  | "folded"
  | "open"
  | "leftOut"
  | "failed"
  | "warning"
  | "none";

export interface RowLabel {
  readonly label: string;
  /** When it was set, in milliseconds. */
  readonly time: number;
}

export interface RowParts {
  readonly sign: RowSign;
  /** Number of a side branch. */
  readonly branch: number | undefined;
  readonly text: string;
  /** Turns of a side branch; entries if it has no turn. */
  readonly length: { readonly count: number; readonly of: "turns" | "entries" } | undefined;
  readonly tools: number;
  readonly files: number;
  /** Files that the step or the turn changed, as recorded; `many` if they were not counted. */
  readonly changed: number | "many";
  readonly labels: readonly RowLabel[];
  /** Machines that a side branch came from; empty if it was created here. */
  readonly replicas: readonly string[];
  readonly trouble: EntryTrouble | undefined;
  /** The row of the leaf's own entry. */
  readonly active: boolean;
  /** An additional remark, such as a missing parent. */
  readonly remark: string | undefined;
  /** Matches in a folded branch. */
  readonly matchesInside: number;
  readonly isMatch: boolean;
  readonly picked: boolean;
  /** Milliseconds; 0 if there is none. */
  readonly time: number;
}

const NOTHING: RowParts = {
  sign: "none",
  branch: undefined,
  text: "",
  length: undefined,
  tools: 0,
  files: 0,
  changed: 0,
  labels: [],
  replicas: [],
  trouble: undefined,
  active: false,
  remark: undefined,
  matchesInside: 0,
  isMatch: false,
  picked: false,
  time: 0,
};

/** The parts of a row: symbol, text, labels. */
export function describeRow(model: TreeModel, state: TreeState, row: TreeRow): RowParts {
  switch (row.kind) {
    case "entry":
      return entryParts(model, state, row);
    case "side":
      return sideParts(model, state, row);
    case "here":
      return hereParts(model, row);
    case "end":
      return {
        ...NOTHING,
        sign: "end",
        text: `end of #${model.branches.branchOf(row.n)}`,
        picked: state.picked.has(row.n),
      };
    case "more":
      return { ...NOTHING, text: `+ ${grouped(row.count)} more`, matchesInside: matchesInMore(model, state, row) };
    case "earlier":
    case "later": {
      const things = row.counts === "turns" ? ["turn", "turns"] : ["entry", "entries"];
      return {
        ...NOTHING,
        sign: "leftOut",
        text: `${grouped(row.count)} ${row.kind} ${row.count === 1 ? things[0] : things[1]}`,
      };
    }
    case "missing":
      return { ...NOTHING, sign: "warning", text: missingWords(model, row.n) ?? "" };
  }
}

function entryParts(model: TreeModel, state: TreeState, row: TreeRow): RowParts {
  const facts = model.facts(row.n);
  const active = row.n === model.leafUnder(state);
  return {
    ...NOTHING,
    sign: active ? "here" : signOf(facts, model.source.tree.kindOf(row.n)),
    text: facts.words,
    tools: row.counts === "tools" ? row.count : 0,
    changed: changedBy(model, row),
    labels: labelsOf(model, [row.n]),
    trouble: facts.trouble,
    active,
    isMatch: state.search?.has(row.n) ?? false,
    picked: state.picked.has(row.n),
    time: facts.time,
  };
}

function changedBy(model: TreeModel, row: TreeRow): RowParts["changed"] {
  if (row.end === undefined) {
    const step = model.stepFiles(row.n);
    return step?.many === true ? "many" : (step?.paths.length ?? 0);
  }
  const { paths, many } = recordedFiles(model, row.end);
  return many ? "many" : paths.size;
}

function sideParts(model: TreeModel, state: TreeState, row: TreeRow): RowParts {
  const { branches, source } = model;
  const branch = branches.branchOf(row.n);
  const tip = branches.tipOf(branch);
  const turns = branches.turnsAt(tip) - branches.turnsAt(row.fork);
  const entries = branches.depthAt(tip) - branches.depthAt(row.fork);
  const end = model.endAt(tip);
  const goesOn =
    row.fork >= 0 && row.fork === branches.conversationAt(source.leaf) && row.n === branches.firstChildOf(row.fork);
  const inside = row.open ? 0 : (state.search?.countInside(row.n) ?? 0);
  return {
    ...NOTHING,
    sign: row.open ? "open" : "folded",
    branch,
    text: goesOn ? "continues" : model.promptBelow(row.n),
    length: turns > 0 ? { count: turns, of: "turns" } : { count: entries, of: "entries" },
    labels: labelsOf(model, row.n === tip ? [row.n] : [row.n, tip]),
    replicas: model.replicasOf(branch),
    trouble: end === "failed" || end === "stopped" ? end : undefined,
    remark: row.fork < 0 ? missingWords(model, rootOf(model, row.n)) : undefined,
    matchesInside: inside,
    isMatch: state.search?.has(row.n) ?? false,
    picked: state.picked.has(row.n),
    time: model.facts(tip).time,
  };
}

/** Matches in the branches hidden behind `more`: all below the fork, except those with rows. */
function matchesInMore(model: TreeModel, state: TreeState, { fork, level }: TreeRow): number {
  const { search } = state;
  if (search === undefined) return 0;
  const { branches, source } = model;
  const end = level < 0 ? source.leaf : branches.tipOf(branches.branchOf(level));
  const onPath = branches.childTowards(fork, end);
  let count = fork < 0 ? search.matches.length : search.countInside(fork) - (search.has(fork) ? 1 : 0);
  if (onPath >= 0) count -= search.countInside(onPath);
  for (const row of model.rows(state).rows)
    if (row.kind === "side" && row.fork === fork) count -= search.countInside(row.n);
  return Math.max(0, count);
}

function hereParts(model: TreeModel, row: TreeRow): RowParts {
  const at = model.branches.conversationAt(row.n);
  const how = at < 0 ? "before the first entry" : endWords(model.endAt(at));
  return {
    ...NOTHING,
    sign: "here",
    text: `you are here · ${how}`,
    labels: row.n < 0 ? [] : labelsOf(model, [row.n]),
    files: at < 0 ? 0 : changedFiles(model, at).size,
    time: at < 0 ? 0 : model.facts(at).time,
  };
}

function signOf({ sort, speaks, calls }: EntryFacts, kind: Kind): RowSign {
  if (sort === "answer" && !speaks && calls > 0) return "tool";
  if (sort === "bookkeeping") return kind === Kind.label ? "label" : kind === Kind.custom ? "state" : "tool";
  return sort === "unreadable" ? "failed" : sort;
}

function labelsOf({ source }: TreeModel, entries: readonly number[]): RowLabel[] {
  const labels: RowLabel[] = [];
  for (const n of entries) {
    const found = source.labelOf(n);
    if (found !== undefined)
      labels.push({ label: firstWords(found.label, 60), time: Date.parse(found.timestamp) || 0 });
  }
  return labels;
}

/** "parent 3fa2 is missing", or undefined if it is not. */
function missingWords({ source }: TreeModel, root: number): string | undefined {
  const missing = source.tree.missingParentOf(root);
  return missing === undefined ? undefined : `parent ${firstWords(missing, 40)} is missing`;
}

function rootOf({ source: { tree } }: TreeModel, n: number): number {
  let root = n;
  for (let above = tree.parentOf(n); above >= 0; above = tree.parentOf(above)) root = above;
  return root;
}

/** How the last reply ended, in words. */
function endWords(end: BranchEnd): string {
  switch (end) {
    case "finished":
      return "reply finished";
    case "failed":
      return "the reply failed";
    case "stopped":
      return "the reply was stopped";
    case "waiting":
      return "no reply yet";
    case "running":
      return "tools were running";
  }
}
