/** The middle part of a comparison: the turns of both sides, or two of them verbatim. */
import type { EntryId } from "../../entry/index.js";
import { selectLine } from "../fit-line.js";
import { flowText } from "../flow-pieces.js";
import { type Line, span } from "../line.js";
import type { LayoutOptions } from "../list-layout.js";
import { pair, sideHeading, turnLines } from "./compare-lines.js";
import type { CompareModel, CompareTurn } from "./compare-model.js";
import { wordDifference } from "./word-difference.js";

export type CompareSideName = "a" | "b";

export interface CompareState {
  readonly side: CompareSideName;
  /** Index of the selected turn on that side. */
  readonly row: number;
  /** The first line of the middle part. */
  readonly top: number;
  readonly picked: ReadonlySet<EntryId>;
  /** Shows the two selected turns verbatim. */
  readonly words: boolean;
  /** A line in place of the hints. */
  readonly message?: Line | undefined;
}

/** A line of the middle part, drawn when it is in the window. */
type BodyLine = () => Line;

export interface Body {
  readonly lines: readonly BodyLine[];
  /** The first and last line of the selected turn. */
  readonly selected: readonly [number, number] | undefined;
}

/** The turns to compare verbatim: the one picked on each side, otherwise those of the selected row. */
export function wordsPair(
  model: CompareModel,
  state: Pick<CompareState, "row" | "picked">,
): {
  readonly a: CompareTurn | undefined;
  readonly b: CompareTurn | undefined;
} {
  const onlyPicked = (turns: readonly CompareTurn[]) => {
    const picked = turns.filter(({ entryId }) => state.picked.has(entryId));
    return picked.length === 1 ? picked[0] : undefined;
  };
  return {
    a: onlyPicked(model.a.turns) ?? model.rows[state.row]?.a,
    b: onlyPicked(model.b.turns) ?? model.rows[state.row]?.b,
  };
}

export function besideBody(
  model: CompareModel,
  state: CompareState,
  at: { readonly options: LayoutOptions; readonly middle: number },
): Body {
  const { options, middle } = at;
  const { width, glyphs } = options;
  const half = (turn: CompareTurn | undefined, side: CompareSideName, row: number): readonly [Line, Line] => {
    if (turn === undefined) return [[], []];
    const selected = state.side === side && state.row === row;
    const [first, second] = turnLines(turn, { glyphs, picked: state.picked.has(turn.entryId) });
    if (!selected) return [first, second];
    const room = side === "a" ? middle - 2 : width - middle - 2;
    return [selectLine(first, room, glyphs.ellipsis), selectLine(second, room, glyphs.ellipsis)];
  };
  const line =
    (row: number, which: 0 | 1): BodyLine =>
    () => {
      const { a, b, equal } = model.rows[row] as CompareModel["rows"][number];
      const between = equal && which === 0 ? "=" : glyphs.column;
      const isSelected = state.row === row && model.rows[row]?.[state.side] !== undefined;
      const signs = isSelected ? { [state.side]: span(which === 0 ? glyphs.selected : " ", "select") } : {};
      return pair(half(a, "a", row)[which], half(b, "b", row)[which], { options, middle, between, signs });
    };
  const lines: BodyLine[] = [];
  for (let row = 0; row < model.rows.length; row++) lines.push(line(row, 0), line(row, 1));
  const known = model.rows[state.row]?.[state.side] !== undefined;
  return { lines, selected: known ? [state.row * 2, state.row * 2 + 1] : undefined };
}

export function belowBody(model: CompareModel, state: CompareState, { width, glyphs }: LayoutOptions): Body {
  const lines: BodyLine[] = [];
  let selected: Body["selected"];
  if (model.kind === "separate" || model.kind === "same") return { lines, selected };
  for (const name of ["a", "b"] as const) {
    const side = model[name];
    lines.push(() => [span(" "), ...sideHeading(side, glyphs, width - 1)]);
    for (const [row, turn] of side.turns.entries()) {
      const isSelected = state.side === name && state.row === row;
      if (isSelected) selected = [lines.length, lines.length + 1];
      const equal = model.rows[row]?.equal === true ? "=" : " ";
      for (const which of [0, 1] as const) {
        lines.push(() => {
          const own = turnLines(turn, { glyphs, picked: state.picked.has(turn.entryId) })[which];
          const line = [span(` ${isSelected && which === 0 ? glyphs.selected : which === 0 ? equal : " "} `), ...own];
          return isSelected ? selectLine(line, width, glyphs.ellipsis) : line;
        });
      }
    }
  }
  return { lines, selected };
}

export function wordsBody(model: CompareModel, state: CompareState, { width }: LayoutOptions): Body {
  const { a, b } = wordsPair(model, state);
  const lines: Line[] = [];
  const section = (title: string, before: string, after: string) => {
    lines.push([span(` ${title}`, "strong")]);
    for (const line of wordDifference(before, after, Math.max(2, width - 3))) lines.push([span("   "), ...line]);
  };
  if (a === undefined || b === undefined) {
    const side = a === undefined ? model.a : model.b;
    lines.push(...flowText(`#${side.number} has no turn here. Pick one turn on each side to compare them.`, width));
  } else {
    section("asked", a.prompt, b.prompt);
    section("answered", a.answer, b.answer);
  }
  return { lines: lines.map((line) => () => line), selected: undefined };
}
