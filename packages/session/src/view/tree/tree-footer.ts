/** The foot of a tree: the effect and cost of Enter, then the keys. */
import { counted, grouped, shortCount } from "../../text/index.js";
import type { LeftBehind } from "../../tree/index.js";
import { cutLine } from "../fit-line.js";
import { type Hint, hintLine } from "../hints.js";
import { type Line, type Span, span } from "../line.js";
import { type EnterAction, enterAction } from "./enter-action.js";
import { STRETCH_ROWS } from "./rows/level-rows.js";
import type { RowStyle } from "./rows/row-style.js";
import { MORE_BRANCHES } from "./rows/side-rows.js";
import type { TreeRow } from "./rows/tree-row.js";
import { selectedPlace, selectedRow } from "./selection.js";
import type { TreeHint } from "./tree-hints.js";
import type { TreeModel } from "./tree-model.js";
import { type NoticeOptions, noMatchWords, noticeLines } from "./tree-notices.js";
import { progressWords } from "./tree-search.js";
import type { TreeState } from "./tree-state.js";

interface FooterOptions extends NoticeOptions {
  readonly width: number;
  readonly style: RowStyle;
  /** Replaces the keys. */
  readonly message: string | undefined;
  readonly resize: string | undefined;
}

export function treeFooter(model: TreeModel, state: TreeState, options: FooterOptions): readonly Line[] {
  const { width, style, glyphs, message } = options;
  const action = enterAction(model, state, options.situation);
  const row = selectedRow(model, state);
  const said = message === undefined ? undefined : cutLine([span(` ${message}`)], width, glyphs.ellipsis);
  const noMatch = noMatchWords(state, options.hint);
  if (style === "narrow" || style === "tiny") {
    if (said !== undefined) return [said];
    // One line of keys; a reason or a failed search may take more lines.
    const reason = noMatch ?? (action.kind === "off" && row !== undefined ? action.reason : undefined);
    return reason === undefined
      ? [shortKeys(action, row, options)]
      : noticeLines({ text: reason, tone: "text" }, width);
  }
  const consequence =
    noMatch !== undefined
      ? [span(noMatch)]
      : row === undefined
        ? []
        : consequenceOf(model, action, { row, ...options });
  return [
    cutLine([span(" "), ...consequence], width, glyphs.ellipsis),
    said ?? keys(model, state, { row, action, ...options }),
  ];
}

interface ConsequenceOptions extends FooterOptions {
  readonly row: TreeRow;
}

function consequenceOf(model: TreeModel, action: EnterAction, options: ConsequenceOptions): Span[] {
  const { row, glyphs, hint } = options;
  const wide = options.style === "wide";
  const enter = hint("enter") ?? "";
  const key = span(enter, "accent");
  switch (action.kind) {
    case "edit":
      return [
        key,
        span(` edit & resend${wide ? " from here" : ""} ${glyphs.dot} ${leavesWords(action.leaves, options)}`),
      ];
    case "go": {
      const end = row.kind === "side" || row.kind === "end";
      const there = end
        ? `go to the end of #${model.branches.branchOf(action.n)}`
        : `go there${wide && !action.openCalls ? " and continue" : ""}`;
      const open = action.openCalls ? ` ${glyphs.dot} marks unfinished tool calls as interrupted` : "";
      return [key, span(` ${there}${open} ${glyphs.dot} ${leavesWords(action.leaves, options)}`)];
    }
    case "fork":
      return [key, span(` fork into a new session from just before this prompt ${glyphs.dot} this one is kept`)];
    case "open":
      return [key, span(` ${openWords(row)}`)];
    case "here":
      return [span("You are already here.")];
    case "off":
      return [span(action.reason)];
  }
}

/** "leaves 7 entries (≈4.1k tokens), files unchanged". */
function leavesWords({ entries, tokens }: LeftBehind, { style, glyphs, situation }: FooterOptions): string {
  const files = FILES_WORDS[situation.files ?? "stay"];
  if (entries === 0) return `leaves nothing${files}`;
  const about = tokens > 0 && style === "wide" ? ` (${glyphs.about}${shortCount(tokens)} tokens)` : "";
  return `leaves ${counted(entries, "entry", "entries")}${about}${files}`;
}

/** The question comes only if files differ, which is not known yet. */
const FILES_WORDS = { ask: "", follow: ", restores files", stay: ", files unchanged" } as const;

function openWords(row: TreeRow): string {
  if (row.kind === "more") return `show ${row.count > MORE_BRANCHES ? `${MORE_BRANCHES} more` : "them"}`;
  return `show the next ${STRETCH_ROWS} rows`;
}

interface KeyOptions extends FooterOptions {
  readonly row: TreeRow | undefined;
  readonly action: EnterAction;
}

function keys(model: TreeModel, state: TreeState, { row, action, width, hint, situation, resize }: KeyOptions): Line {
  const hints: Hint[] = [];
  const add = (id: TreeHint, text: string, priority = 0, keep = false): void => {
    hints.push({ keys: hint(id) ?? "", text, priority, keep });
  };
  const isFork = situation.purpose === "fork";
  const canMove = action.kind === "edit" || action.kind === "go" || action.kind === "here";
  if (state.picked.size > 0) {
    if (!isFork) add("cherryPick", "cherry-pick here", 5);
    if (!isFork) add("merge", "merge", 4);
    add("compare", "compare", 4);
  } else if (state.search !== undefined) {
    add("nextMatch", "next", 5);
    add("previousMatch", "previous", 4);
    add("close", "clear", 4);
  } else if ((canMove || isFork) && row?.kind === "side") add("open", row.open ? "step in" : "open", 4);
  else if (canMove && action.kind !== "here" && row?.kind === "entry") add("continue", "continue after", 4);
  if (canMove && action.kind !== "here") add("summary", "go + summary", 3);
  if (row !== undefined) add("label", "label", 2);
  if (state.search === undefined) add("search", "search", 1);
  add("filter", "filter");
  if (resize !== undefined) add("resize", resize, 1);
  add("help", "keys", 9, true);
  return hintLine(hints, width, placeWords(model, state));
}

function shortKeys(action: EnterAction, row: TreeRow | undefined, { width, hint, situation }: FooterOptions): Line {
  const hints: Hint[] = [];
  const enter = row === undefined ? undefined : shortEnter(action);
  if (enter !== undefined) hints.push({ keys: hint("enter") ?? "", text: enter, keep: true });
  if (row?.kind === "entry" && action.kind !== "off" && situation.purpose !== "fork")
    hints.push({ keys: hint("continue") ?? "", text: "continue", priority: 2 });
  if (row?.kind === "side") hints.push({ keys: hint("open") ?? "", text: "open", priority: 2 });
  hints.push(
    { keys: hint("preview") ?? "", text: "view", priority: 1 },
    { keys: hint("help") ?? "", text: "keys", keep: true },
  );
  return hintLine(hints, width);
}

function shortEnter(action: EnterAction): string | undefined {
  if (action.kind === "edit") return "edit";
  if (action.kind === "go") return "go";
  if (action.kind === "fork") return "fork";
  return action.kind === "open" ? "open" : action.kind === "here" ? "stay" : undefined;
}

/** "31 of 34", "match 2 of 17", "2 picked". */
function placeWords(model: TreeModel, state: TreeState): string {
  const { search, match, picked } = state;
  const picks = picked.size > 0 ? `${picked.size} picked  ` : "";
  if (search !== undefined) {
    const count = search.matches.length;
    const place = match < 0 ? counted(count, "match", "matches") : `match ${grouped(match + 1)} of ${grouped(count)}`;
    return `${picks}${place}${progressWords(search)} `;
  }
  const total = model.rows(state).rows.length;
  return total === 0 ? "" : `${picks}${grouped(selectedPlace(model, state) + 1)} of ${grouped(total)} `;
}
