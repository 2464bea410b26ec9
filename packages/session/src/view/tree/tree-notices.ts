/** The notices next to a tree's rows: states of the session, of the search, of the filter. */
import { counted, firstWords } from "../../text/index.js";
import type { Glyphs } from "../glyphs.js";
import { type Line, span, type Tone } from "../line.js";
import { wrapWords } from "../text/wrap-words.js";
import type { TreeHintOf } from "./tree-hints.js";
import type { TreeModel } from "./tree-model.js";
import type { TreeSituation } from "./tree-situation.js";
import type { TreeState } from "./tree-state.js";

export interface NoticeOptions {
  readonly glyphs: Glyphs;
  readonly hint: TreeHintOf;
  readonly situation: TreeSituation;
}

export const TOO_SMALL = "Window too small for the tree. /branches prints a list.";
const EMPTY = "Nothing here yet. Send a prompt and it becomes the first entry.";
/** More line numbers than this add nothing. */
const MOST_LINES = 4;

/** A sentence, wrapped if the window is narrow. */
export interface Notice {
  readonly text: string;
  readonly tone: Tone;
}

/** Lines above the rows: what is wrong or new in the session as a whole. */
export function noticesAbove({ glyphs, hint, situation }: NoticeOptions): Notice[] {
  const lines: Notice[] = [];
  const damaged = situation.damagedLines ?? [];
  if (damaged.length > 0) {
    const numbers = damaged.slice(0, MOST_LINES).join(", ");
    const more = damaged.length > MOST_LINES ? `, ${glyphs.ellipsis}` : "";
    const what = `${counted(damaged.length, "line")} could not be read (${numbers}${more})`;
    lines.push(notice(`${glyphs.warning} ${what}. Everything else is here. Details: bough verify`, "bad"));
  }
  const added = situation.newElsewhere ?? 0;
  if (added > 0) {
    const reload = hint("reload");
    const how = reload === undefined ? "" : ` ${reload} reloads.`;
    lines.push(notice(`Another window added ${counted(added, "entry", "entries")}.${how}`, "accent"));
  }
  if (situation.reading === true) {
    lines.push(notice(`  ${glyphs.leftOut}  reading earlier entries${glyphs.ellipsis}`, "muted"));
  }
  return lines;
}

/** Shown instead of rows, or below them if there are few. */
export function noticeBelow(model: TreeModel, state: TreeState, { hint }: NoticeOptions): Notice | undefined {
  const { branches } = model;
  if (branches.count === 0) return notice(EMPTY, "muted");
  const { rows } = model.rows(state);
  const hasRows = rows.some(({ kind }) => kind === "entry" || kind === "side" || kind === "more");
  if (!hasRows) return notice(hiddenWords(state, hint), "muted");
  if (branches.count === 1 && state.filter !== "labeled-only" && state.narrowing === "none") {
    const edit = hint("edit");
    return notice(`No side branches yet.${edit === undefined ? "" : ` ${edit} on any prompt starts one.`}`, "muted");
  }
  return undefined;
}

/** The message for a search that found nothing, or undefined. */
export function noMatchWords({ search }: TreeState, hint: TreeHintOf): string | undefined {
  if (search?.done !== true || search.matches.length > 0 || search.words.length === 0) return undefined;
  return `No entry matches "${firstWords(search.query, 60)}". ${hint("close") ?? "Esc"} clears the search.`;
}

function hiddenWords({ filter, narrowing }: TreeState, hint: TreeHintOf): string {
  const change = hint("filter");
  const otherwise = change === undefined ? "" : `; ${change} changes the filter`;
  if (narrowing !== "none") {
    const wide = hint("narrow");
    const what = { files: "with file changes", failed: "that failed", matches: "that match" }[narrowing];
    return `No entries ${what} near here.${wide === undefined ? "" : ` ${wide} shows the others.`}`;
  }
  if (filter !== "labeled-only")
    return `No entries under this filter.${change === undefined ? "" : ` ${change} changes it.`}`;
  const label = hint("label");
  return label === undefined ? "No labeled entries." : `No labeled entries. ${label} adds a label${otherwise}.`;
}

function notice(text: string, tone: Tone): Notice {
  return { text, tone };
}

/** A notice wrapped to a width, with a space before each line. */
export function noticeLines({ text, tone }: Notice, width: number): Line[] {
  return wrapWords(text, width - 2).map((line) => [span(` ${line}`, tone)]);
}
