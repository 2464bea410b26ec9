/** A tree as the lines of a screen: header, rows, preview, the effect of Enter, keys. */
import { counted, firstWords } from "../../text/index.js";
import { cutLine, fitLine, padLine, rule } from "../fit-line.js";
import type { Glyphs } from "../glyphs.js";
import { type Line, span } from "../line.js";
import { cutToWidth, displayWidth } from "../text/display-width.js";
import { wrapWords } from "../text/wrap-words.js";
import { branchName } from "./rows/branch-name.js";
import { type RowStyle, rowStyle } from "./rows/row-style.js";
import type { TreeRow } from "./rows/tree-row.js";
import { selectedRow } from "./selection.js";
import { treeFooter } from "./tree-footer.js";
import type { TreeHintOf } from "./tree-hints.js";
import { layoutList } from "./tree-list.js";
import type { TreeModel } from "./tree-model.js";
import { type Notice, noticeBelow, noticeLines, noticesAbove, TOO_SMALL } from "./tree-notices.js";
import { treePreview } from "./tree-preview.js";
import { progressWords } from "./tree-search.js";
import type { TreeSituation } from "./tree-situation.js";
import { previewPlace, type TreeNarrowing, type TreeState } from "./tree-state.js";

/** A text being typed, and the position of the cursor in it. */
export interface TypedText {
  readonly text: string;
  readonly cursor: number;
}

export interface TreeLayoutOptions {
  readonly width: number;
  readonly height: number;
  readonly glyphs: Glyphs;
  /** Milliseconds. */
  readonly now: number;
  readonly hint: TreeHintOf;
  readonly situation?: TreeSituation;
  /** The `top` of the previous layout, so that the rows do not jump. */
  readonly top?: string;
  /** Shown instead of the keys: what was just done, or a question. */
  readonly message?: string;
  /** The label of the selected row is being edited. */
  readonly editing?: TypedText;
  /** The words of a search are being typed. */
  readonly searching?: TypedText;
  /** Lines to skip at the top of the preview. */
  readonly previewTop?: number;
  /** The file changes of the selected row, for the preview. */
  readonly diff?: readonly Line[];
  /** What the key that resizes the tree makes of it, such as "full screen". */
  readonly resize?: string;
}

export interface TreeLayout {
  /** Exactly `height` lines, none wider than `width`. */
  readonly lines: readonly Line[];
  /** The position of the real cursor, from 0. */
  readonly cursor?: { readonly row: number; readonly column: number };
  readonly top: string;
  /** The number of rows on the screen, which is a page. */
  readonly listHeight: number;
}

const LEAST_WIDTH = 20;
const LEAST_HEIGHT = 6;

/** The tree as lines of a window. */
export function layoutTree(model: TreeModel, state: TreeState, options: TreeLayoutOptions): TreeLayout {
  const { width, height, glyphs } = options;
  if (width < LEAST_WIDTH || height < LEAST_HEIGHT) {
    return { lines: tooSmall(width, height, glyphs), top: options.top ?? "", listHeight: 1 };
  }
  const parts = partsOf(model, state, options);
  const place = previewPlace(state.preview, width);
  if (place === "full") return withFullPreview(model, state, options, parts);
  const room = height - parts.above.length - parts.below.length;
  const beside = place === "beside" ? Math.floor(width / 2) : 0;
  const previewHeight = place === "below" ? previewLines(room, width) : 0;
  const listHeight = Math.max(1, room - (previewHeight === 0 ? 0 : previewHeight + 1));
  const list = layoutList(model, state, { ...options, height: listHeight, width: width - beside, screen: width });
  const filled = fill(
    list.lines,
    parts.notice === undefined ? [] : noticeLines(parts.notice, width - beside),
    listHeight,
  );
  const row = selectedRow(model, state);
  const { diff = [] } = options;
  const preview = { glyphs, top: options.previewTop ?? 0, marked: markedIn(state, row), diff };
  const middle =
    beside > 0
      ? joined(filled, treePreview(model, row, { ...preview, width: beside - 1, height: listHeight }), {
          width,
          beside,
          glyphs,
        })
      : filled;
  const below =
    previewHeight > 0
      ? [
          rule(width, glyphs),
          ...fill(treePreview(model, row, { ...preview, width, height: previewHeight }), [], previewHeight),
        ]
      : [];
  const lines = [...parts.above, ...middle, ...below, ...parts.below];
  const listCursor =
    list.cursor === undefined
      ? {}
      : { cursor: { row: list.cursor.row + parts.above.length, column: list.cursor.column } };
  const cursor = parts.cursor === undefined ? listCursor : { cursor: { row: height - 1, column: parts.cursor } };
  return { lines: fitted(lines, options), ...cursor, top: list.top, listHeight };
}

interface Parts {
  readonly above: readonly Line[];
  readonly below: readonly Line[];
  readonly notice: Notice | undefined;
  /** Column of the cursor in the last line, while a search is being typed. */
  readonly cursor: number | undefined;
}

function partsOf(model: TreeModel, state: TreeState, options: TreeLayoutOptions): Parts {
  const { width, height, glyphs, situation = {}, searching, message } = options;
  const hint: TreeHintOf = (action) => options.hint(action) || undefined;
  const style = rowStyle(width);
  const header = treeHeader(model, state, { width, style, dot: glyphs.dot, mark: glyphs.ellipsis });
  const line = rule(width, glyphs);
  const notices = noticesAbove({ glyphs, hint, situation }).flatMap((notice) => noticeLines(notice, width));
  const foot = [
    ...treeFooter(model, state, { width, style, glyphs, hint, situation, message, resize: options.resize }),
  ];
  if (searching !== undefined) foot[foot.length - 1] = searchLine(state, searching, options);
  const cursor = searching === undefined ? undefined : 3 + displayWidth(searching.text.slice(0, searching.cursor));
  const notice = noticeBelow(model, state, { glyphs, hint, situation });
  // In a low window, the rules are dropped first, then the notices above the rows.
  const roomy = height >= 9;
  return {
    above: [header, ...(roomy ? [line] : []), ...(height >= 8 ? notices : notices.slice(0, 1))],
    below: [...(roomy ? [line] : []), ...foot],
    notice,
    cursor: cursor === undefined ? undefined : Math.min(cursor, width - 1),
  };
}

function searchLine({ search }: TreeState, { text }: TypedText, { width, glyphs }: TreeLayoutOptions): Line {
  const count = search === undefined ? 0 : search.matches.length;
  const found = text.trim() === "" ? "" : `${count} found${progressWords(search)} `;
  const room = width - displayWidth(found) - 4;
  return [
    span(" / ", "accent"),
    span(
      cutToWidth(text, Math.max(1, room), glyphs.ellipsis).padEnd(
        Math.max(0, room + 1 - (displayWidth(text) - text.length)),
      ),
    ),
    span(found, "muted"),
  ];
}

/** Between two and six lines, or none if the rows need the room. */
function previewLines(room: number, width: number): number {
  if (room < 9) return 0;
  return Math.max(2, Math.min(width >= 80 ? 6 : 3, Math.floor(room / 6)));
}

function withFullPreview(model: TreeModel, state: TreeState, options: TreeLayoutOptions, parts: Parts): TreeLayout {
  const { width, height, glyphs, previewTop = 0, diff = [] } = options;
  const room = Math.max(1, height - parts.above.length - parts.below.length);
  const row = selectedRow(model, state);
  const marked = markedIn(state, row);
  const text = treePreview(model, row, { width, height: room, glyphs, top: previewTop, marked, diff });
  const lines = [...parts.above, ...fill(text, [], room), ...parts.below];
  return {
    lines: fitted(lines, options),
    cursor: { row: parts.above.length, column: 1 },
    top: options.top ?? "",
    listHeight: room,
  };
}

/** The search words that the selected row matched. */
function markedIn({ search }: TreeState, row: TreeRow | undefined): readonly string[] {
  return search !== undefined && row !== undefined && search.has(row.n) ? search.words : [];
}

/** Pads to exactly this many lines; a notice is placed two lines below the last row if there is room. */
function fill(lines: readonly Line[], notice: readonly Line[], height: number): Line[] {
  const filled = lines.slice(0, height);
  if (notice.length > 0 && filled.length + notice.length <= height) {
    if (filled.length > 0 && filled.length + notice.length < height) filled.push([]);
    filled.push(...notice);
  }
  while (filled.length < height) filled.push([]);
  return filled;
}

interface Joining {
  readonly width: number;
  readonly beside: number;
  readonly glyphs: Glyphs;
}

function joined(left: readonly Line[], right: readonly Line[], { width, beside, glyphs }: Joining): Line[] {
  return left.map((line, at) => [
    ...padLine(line, width - beside, glyphs.ellipsis),
    span(glyphs.column, "muted"),
    ...(right[at] ?? []),
  ]);
}

function fitted(lines: readonly Line[], { width, height, glyphs }: TreeLayoutOptions): Line[] {
  return lines.slice(0, height).map((line) => cutLine(line, width, glyphs.ellipsis));
}

function tooSmall(width: number, height: number, glyphs: Glyphs): Line[] {
  const lines = wrapWords(TOO_SMALL, width).slice(0, Math.max(0, height));
  return lines.map((line) => [span(cutToWidth(line, Math.max(0, width), glyphs.ellipsis))]);
}

/** "on #12 fix the…": with fewer columns a name says nothing. */
const LEAST_NAME = 16;

/** The first line of a tree: the session, its size, the current position. */
interface HeaderOptions {
  readonly width: number;
  readonly style: RowStyle;
  /** Between words. */
  readonly dot: string;
  readonly mark: string;
}

/** " Tree · parser session      214 turns · 9 branches · on #1 wire the tokenizer". */
function treeHeader(model: TreeModel, state: TreeState, { width, style, dot, mark }: HeaderOptions): Line {
  const { branches, source } = model;
  const number = branches.branchOf(source.leaf);
  const on = `on #${number} ${branchName(source, number)}`;
  if (style === "tiny") return fitLine([span(` ${on}`, "strong")], [], width, mark);
  const count = branches.count === 0 ? "" : counted(branches.count, "branch", "branches");
  const shown = shownWords(state).map((words) => ` ${dot} ${words}`);
  const filtered = shown.join("");
  /** A branch may be named by a whole prompt: where that would hide what is shown, its number has to do. */
  const onIn = (room: number): string =>
    displayWidth(on) <= room ? on : room < LEAST_NAME ? `on #${number}` : cutToWidth(on, room, mark);
  if (style === "narrow") {
    const taken = displayWidth(` Tree ${dot} ${filtered}${count}`) + 2;
    const left = [span(" Tree", "strong"), span(` ${dot} ${onIn(width - taken)}${filtered}`)];
    return fitLine(left, [span(`${count} `, "muted")], width, mark);
  }
  const name = firstWords(source.name ?? "", 200);
  const named = name === "" ? "" : ` ${dot} ${name}`;
  if (count === "") return fitLine([span(" Tree", "strong"), span(named + filtered)], [], width, mark);
  const size = `${counted(branches.turns, "turn")} ${dot} ${count} ${dot} `;
  const room = width - displayWidth(` Tree${filtered}${size}`) - 2;
  const where = onIn(Math.max(room - displayWidth(named), Math.floor(room / 2)));
  const left = [span(" Tree", "strong"), span(cutToWidth(named, room - displayWidth(where), mark) + filtered)];
  return fitLine(left, [span(size, "muted"), span(`${where} `)], width, mark);
}

const NARROWED: Readonly<Record<TreeNarrowing, string>> = {
  none: "",
  files: "with file changes",
  failed: "failed",
  matches: "only matches",
};

function shownWords({ filter, narrowing }: TreeState): string[] {
  const words = [filter === "default" ? "" : filter, NARROWED[narrowing]];
  return words.filter((word) => word !== "");
}
