/** The tree as a numbered outline, for screen readers and for terminals that cannot draw. Words instead of symbols. */
import { counted, ended, firstWords, grouped, longAge } from "../../text/index.js";
import { padToWidth } from "../text/display-width.js";
import { branchName } from "../tree/rows/branch-name.js";
import { describeRow, type RowParts } from "../tree/rows/describe-row.js";
import type { EntrySort } from "../tree/rows/entry-facts.js";
import type { TreeRow } from "../tree/rows/tree-row.js";
import type { TreeModel } from "../tree/tree-model.js";
import type { TreeState } from "../tree/tree-state.js";

export interface PlainTreeOptions {
  /** Milliseconds. */
  readonly now: number;
  /** Columns to cut text to. */
  readonly width?: number;
}

export interface PlainTree {
  readonly lines: readonly string[];
  /** The rows numbered 1, 2, …. */
  readonly numbered: readonly TreeRow[];
  /** The prompt to show after the lines. */
  readonly question: string;
}

const KINDS: Readonly<Record<EntrySort, string>> = {
  prompt: "prompt",
  answer: "answer",
  tool: "tool",
  note: "note",
  message: "message",
  bookkeeping: "record",
  unreadable: "damaged",
};

/** The tree as plain lines, for a terminal without a screen or for a screen reader. */
export function plainTree(model: TreeModel, state: TreeState, { now, width = 80 }: PlainTreeOptions): PlainTree {
  const { rows } = model.rows(state);
  const numbered = rows.filter(({ kind }) => kind === "entry" || kind === "here" || kind === "end");
  const digits = Math.max(2, String(numbered.length).length) + 1;
  const lines = [title(model)];
  let number = 0;
  for (const row of rows) {
    const parts = describeRow(model, state, row);
    const indent = "  ".repeat(row.rails.length);
    const isNumbered = numbered[number] === row;
    if (isNumbered) number += 1;
    const start = `${isNumbered ? String(number).padStart(digits) : " ".repeat(digits)}  ${indent}`;
    lines.push(
      isNumbered ? numberedLine(model, { row, parts, start, now, width }) : `${start}${otherWords(row, parts)}`,
    );
  }
  if (rows.length === 0 || model.branches.count === 0)
    lines.push("Nothing here yet. Send a prompt and it becomes the first entry.");
  const earlier = rows.some(({ kind }) => kind === "earlier") ? ", e for earlier ones" : "";
  return { lines, numbered, question: `Number to go, b 8 to open a branch, s word to search${earlier}, q to quit: ` };
}

function title({ source, branches }: TreeModel): string {
  const name = firstWords(source.name ?? "", 100);
  const number = branches.branchOf(source.leaf);
  const where = `You are on branch ${number}, ${ended(branchName(source, number), "always")}`;
  return `Tree of ${name === "" ? "this session" : name}. ${where} ${counted(branches.count, "branch", "branches")}.`;
}

interface NumberedLine {
  readonly row: TreeRow;
  readonly parts: RowParts;
  readonly start: string;
  readonly now: number;
  readonly width: number;
}

function numberedLine(model: TreeModel, { row, parts, start, now, width }: NumberedLine): string {
  const isLeaf = row.kind === "here" || parts.active;
  const kind = isLeaf ? "here" : row.kind === "end" ? "end" : KINDS[model.facts(row.n).sort];
  const text = row.kind === "here" ? parts.text.replace("you are here · ", "") : parts.text;
  const remarks = [
    ...parts.labels.map(({ label }) => `label ${label}`),
    ...(parts.trouble === undefined ? [] : [parts.trouble]),
    ...(parts.tools > 0 ? [counted(parts.tools, "tool")] : []),
    ...(parts.files > 0 ? [counted(parts.files, "file")] : []),
    ...(parts.isMatch ? ["match"] : []),
  ];
  const age = parts.time > 0 ? longAge(parts.time, now) : "";
  const said = `${start}${kind.padEnd(9)}${[text, ...remarks].join("  ")}`;
  return age === "" ? said : `${padToWidth(said, Math.max(30, width - 16), "...")}  ${age}`;
}

function otherWords(row: TreeRow, parts: RowParts): string {
  switch (row.kind) {
    case "side": {
      const { length, trouble, labels, matchesInside, remark, replicas } = parts;
      const size =
        length === undefined
          ? ""
          : length.of === "turns"
            ? counted(length.count, "turn")
            : counted(length.count, "entry", "entries");
      const more = [
        ...labels.map(({ label }) => `label ${label}`),
        size,
        ...(replicas.length === 0 ? [] : [`from ${replicas.join(" and ")}`]),
        ...(trouble === undefined ? [] : [trouble]),
        ...(matchesInside > 0 ? [`${counted(matchesInside, "match", "matches")} inside`] : []),
        ...(remark === undefined ? [] : [remark]),
      ].join(", ");
      const starts =
        parts.text === "continues"
          ? `branch ${parts.branch} continues`
          : `side branch ${parts.branch} starts here: ${parts.text}`;
      return `${starts}, ${more}${row.open ? ", open" : ""}`;
    }
    case "more":
      return `${counted(row.count, "more branch", "more branches")}`;
    case "earlier":
    case "later":
      return `${grouped(row.count)} ${row.kind} ${row.counts === "turns" ? "turns" : "entries"}`;
    default:
      return parts.text;
  }
}
