/** The full text of the selected row, and its outcome. */
import { entryText, type MoveCause, type SessionEntry } from "../../entry/index.js";
import { firstWords, withoutControls } from "../../text/index.js";
import { cutLine } from "../fit-line.js";
import type { Glyphs } from "../glyphs.js";
import { type Line, span } from "../line.js";
import type { LayoutOptions } from "../list-layout.js";
import { cutToWidth, displayWidth } from "../text/display-width.js";
import { wrapWords } from "../text/wrap-words.js";
import { messageIn } from "../transcript/read-content.js";
import { endOfTurn, isTurnStart } from "./enter-action.js";
import { markedWords } from "./rows/marked-words.js";
import type { TreeRow } from "./rows/tree-row.js";
import { changedFiles, lastWords } from "./rows/turn-facts.js";
import type { TreeModel } from "./tree-model.js";

interface PreviewOptions extends Pick<LayoutOptions, "width" | "height" | "glyphs"> {
  /** Lines to skip at the top. */
  readonly top: number;
  /**
   * Words of a search that found this row, in lower case: they are highlighted, and the text starts at the first one.
   */
  readonly marked?: readonly string[];
  /** The row's file changes: shown after its text, and before a tool's output. */
  readonly diff?: readonly Line[];
}

/** The rest of a longer text is ignored. */
const MOST_CHARACTERS = 40_000;
const MOST_FILES = 4;

/** At most `height` lines: the text, with the outcome in the last ones. */
export function treePreview(model: TreeModel, row: TreeRow | undefined, options: PreviewOptions): readonly Line[] {
  const { width, height, glyphs, marked = [], diff = [] } = options;
  if (row === undefined || height <= 0) return [];
  const room = Math.max(1, width - 2);
  const text = previewText(model, row);
  const outcome = [causeOf(model, row), outcomeOf(model, row, glyphs)].filter((part) => part !== "").join(" ");
  const wrapped = text === "" ? [] : wrapWords(text, room);
  const drawn = wrapped.map((line): Line => [span(" "), ...markedWords(line, marked, "text")]);
  drawn.splice(isToolRow(model, row) ? 1 : drawn.length, 0, ...diff.map((line): Line => [span(" "), ...line]));
  const came = outcome === "" ? [] : wrapWords(outcome, room);
  const outcomeLines = came.slice(0, Math.max(1, height >> 1));
  if (outcomeLines.length < came.length) markCut(outcomeLines, room, glyphs);
  const rows = Math.max(0, height - outcomeLines.length);
  const top = firstWith(wrapped, marked, rows) + options.top;
  const start = Math.max(0, Math.min(top, drawn.length - rows));
  const shown = drawn.slice(start, start + rows);
  const last = shown.at(-1);
  if (start + rows < drawn.length && last !== undefined) {
    const mark = ` ${glyphs.ellipsis}`;
    shown[shown.length - 1] = [...cutLine(last, Math.max(1, room + 1 - displayWidth(mark)), ""), span(mark, "muted")];
  }
  return [...shown, ...outcomeLines.map((line): Line => [span(` ${line}`, "muted")])];
}

function isToolRow(model: TreeModel, { kind, n }: TreeRow): boolean {
  return kind === "entry" && model.facts(n).sort === "tool";
}

/** The line with the words of a search, if the first lines do not show it. */
function firstWith(lines: readonly string[], words: readonly string[], shown: number): number {
  if (words.length === 0) return 0;
  const at = lines.findIndex((line) => words.some((word) => line.toLowerCase().includes(word)));
  return at < shown ? 0 : at;
}

/** Marks at the end of the last line that there is more. */
function markCut(lines: string[], room: number, glyphs: Glyphs): void {
  const last = lines.at(-1);
  if (last === undefined) return;
  lines[lines.length - 1] =
    `${cutToWidth(last, room - displayWidth(glyphs.ellipsis) - 1, "").trimEnd()} ${glyphs.ellipsis}`;
}

function previewText(model: TreeModel, row: TreeRow): string {
  const { source, branches } = model;
  switch (row.kind) {
    case "entry":
    case "side":
      return previewOf(model, row.n);
    case "here":
    case "end": {
      const at = branches.conversationAt(row.n);
      return at < 0 ? "" : lastWords(model, at) || withoutControls(previewOf(model, at));
    }
    case "missing":
      return `Its parent entry is not in the file: ${firstWords(source.tree.missingParentOf(row.n) ?? "", 80)}`;
    default:
      return "";
  }
}

function previewOf(model: TreeModel, n: number): string {
  const entry = model.source.entryAt(n);
  const { sort, words, speaks } = model.facts(n);
  const title = sort === "tool" || !speaks ? words : "";
  return [title, withoutControls(longText(entry)).trim()].filter((part) => part !== "").join("\n");
}

/** The text of an entry, up to a limit. For a shell command only its output, because the title shows the command. */
function longText(entry: SessionEntry): string {
  const output = messageIn(entry)?.output;
  return (typeof output === "string" ? output : entryText(entry)).slice(0, MOST_CHARACTERS);
}

/** "#4 started with /pop." on the row of a branch and on its first entry; "" on other rows and without a record. */
function causeOf(model: TreeModel, { kind, n }: TreeRow): string {
  const { branches } = model;
  if (kind !== "side" && kind !== "entry") return "";
  const branch = branches.branchOf(n);
  const cause = branches.firstOf(branch) === n ? model.causeOf(n) : undefined;
  return cause === undefined ? "" : `#${branch} ${causeWords(cause)}.`;
}

/** "→ 2 failing, then all 38 pass. Changed src/lex.ts, src/lex.test.ts". */
function outcomeOf(model: TreeModel, row: TreeRow, glyphs: Glyphs): string {
  const { branches } = model;
  const isTurn = row.kind === "entry" && isTurnStart(model, row.n);
  if (!isTurn && row.kind !== "side") return "";
  const end = isTurn ? endOfTurn(model, row.n) : branches.tipOf(branches.branchOf(row.n));
  const said = lastWords(model, end);
  const files = [...changedFiles(model, end)].reverse();
  const more = files.length > MOST_FILES ? `, ${glyphs.ellipsis}` : "";
  const changed = files.length === 0 ? "" : `Changed ${files.slice(0, MOST_FILES).join(", ")}${more}`;
  const outcome = [said, changed].filter((part) => part !== "").join(" ");
  return outcome === "" ? "" : `${glyphs.arrow} ${outcome}`;
}

/** Why a branch exists, in words. */
const CAUSES: ReadonlyMap<string, string> = new Map([
  ["tree", "started from the tree"],
  ["branch", "started with /branch-here"],
  ["switch", "started after /switch"],
  ["pop", "started with /pop"],
  ["undo", "started after /undo"],
  ["redo", "started after /redo"],
  ["undo-compaction", "started after a compaction was undone"],
  ["retry", "started as a retry"],
  ["attempt", "started as one of several attempts"],
  ["extension", "started by an extension"],
]);

/** "started with /pop". Causes from other programs are quoted verbatim. */
function causeWords(cause: MoveCause): string {
  return CAUSES.get(cause) ?? `started by "${firstWords(cause, 40)}"`;
}
