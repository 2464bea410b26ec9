/** The comparison of two branches: side by side if there is room, otherwise stacked. */
import { firstWords, shortAge } from "../../text/index.js";
import { cutLine, rule } from "../fit-line.js";
import { flowText } from "../flow-pieces.js";
import { hintLine } from "../hints.js";
import { type Line, span } from "../line.js";
import { type DrawnList, type LayoutOptions, scrolledTop } from "../list-layout.js";
import { cutToWidth, displayWidth } from "../text/display-width.js";
import { type Body, belowBody, besideBody, type CompareState, wordsBody } from "./compare-body.js";
import { branchText, endLine, fileCounts, fileLine, pair, sideHeading } from "./compare-lines.js";
import { type CompareModel, compareText } from "./compare-model.js";

/** The minimum width for sides next to each other. */
const WIDE = 90;

export function layoutCompare(model: CompareModel, state: CompareState, options: LayoutOptions): DrawnList {
  const { width, glyphs } = options;
  const height = Math.max(1, options.height);
  const wide = width >= WIDE;
  const middle = Math.floor(width / 2);
  const { head, foot } = surroundings(model, state, { options, wide, middle });
  const body = state.words
    ? wordsBody(model, state, options)
    : wide
      ? besideBody(model, state, { options, middle })
      : belowBody(model, state, options);
  const room = Math.max(1, height - head.length - foot.length);
  const top = bodyTop(body, state.top, room);
  const shown = body.lines.slice(top, top + room).map((draw) => draw());
  const lines = [...head, ...shown, ...foot].slice(0, height).map((line) => cutLine(line, width, glyphs.ellipsis));
  const cursor = body.selected === undefined ? -1 : head.length + body.selected[0] - top;
  return { lines, top, cursorRow: cursor >= head.length && cursor < head.length + shown.length ? cursor : undefined };
}

function bodyTop({ lines, selected }: Body, top: number, room: number): number {
  const count = lines.length;
  if (selected === undefined) return Math.max(0, Math.min(top, count - room));
  const showEnd = scrolledTop({ count, selected: selected[1], height: room, top });
  return scrolledTop({ count, selected: selected[0], height: room, top: showEnd });
}

/** The lines above and below the middle. A low window keeps the title, the point of divergence, and the keys. */
function surroundings(
  model: CompareModel,
  state: CompareState,
  frame: { readonly options: LayoutOptions; readonly wide: boolean; readonly middle: number },
): { readonly head: Line[]; readonly foot: Line[] } {
  const { options, wide, middle } = frame;
  const { width, height, glyphs } = options;
  const title: Line = [span(" Compare", "strong"), span(`   ${bothBranches(model, width - 11, options)}`)];
  const keys = state.message ?? hints(model, state, options);
  if (height < 4) return { head: height < 3 ? [] : [title], foot: height < 2 ? [] : [keys] };
  const place = placeLines(model, options);
  if (state.words) return { head: [title, rule(width, glyphs)], foot: [keys] };
  const crossed = (glyph: string) => rule(width, glyphs, wide ? [{ at: middle, glyph }] : []);
  const ends = wide
    ? [pair(endLine(model.a, glyphs), endLine(model.b, glyphs), { options, middle })]
    : [sideEnd(model.a, glyphs), sideEnd(model.b, glyphs)];
  const head = [title, ...place];
  const foot = [crossed(glyphs.ruleCross), ...ends, keys];
  if (model.kind === "same") return { head, foot: [keys] };
  const facts = wide ? besideFacts(model, { options, middle }) : belowFacts(model, options);
  const whole = [
    ...head,
    crossed(glyphs.ruleDown),
    ...facts,
    ...(model.rows.length > 0 ? [crossed(glyphs.ruleCross)] : []),
  ];
  if (whole.length + foot.length + 4 <= height) return { head: whole, foot };
  if (head.length + 1 + foot.length + 2 <= height) return { head: [...head, crossed(glyphs.ruleDown)], foot };
  return { head: head.slice(0, Math.max(1, height - 4)), foot: [keys] };
}

/** "#1 wire the tokenizer  ↔  #4 lexer": both stay, so each gets what the other leaves, but at least half. */
function bothBranches({ a, b }: CompareModel, width: number, { glyphs }: LayoutOptions): string {
  const [left, right] = [branchText(a), branchText(b)];
  const between = `  ${glyphs.between}  `;
  const room = Math.max(2, width - displayWidth(between));
  const half = Math.floor(room / 2);
  const leftRoom = Math.max(half, room - displayWidth(right));
  const shown = cutToWidth(left, leftRoom, glyphs.ellipsis);
  return `${shown}${between}${cutToWidth(right, room - displayWidth(shown), glyphs.ellipsis)}`;
}

function placeLines(model: CompareModel, { width, glyphs, now }: LayoutOptions): Line[] {
  const text = compareText(model);
  if (text !== undefined) return flowText(text, width);
  if (model.shared === null) return [];
  const age = shortAge(model.shared.time, now);
  const ago = age === "" ? "" : age === "now" ? ` ${glyphs.dot} just now` : ` ${glyphs.dot} ${age} ago`;
  const room = Math.max(4, width - ago.length - 14);
  return [
    [
      span(" parted at ", "muted"),
      ...cutLine([span(`"${firstWords(model.shared.text)}`)], room, glyphs.ellipsis),
      span(`"${ago}`),
    ],
  ];
}

function sideEnd(side: CompareModel["a"], glyphs: LayoutOptions["glyphs"]): Line {
  return [span(` #${side.number} `, "strong"), ...endLine(side, glyphs)];
}

function besideFacts(model: CompareModel, at: { readonly options: LayoutOptions; readonly middle: number }): Line[] {
  const { glyphs } = at.options;
  const { files } = model;
  const lines = [
    pair(
      sideHeading(model.a, glyphs, at.middle - 2),
      sideHeading(model.b, glyphs, at.options.width - at.middle - 2),
      at,
    ),
    [span(" "), ...fileCounts(files, { dot: glyphs.dot, a: "here", b: "there" })],
  ];
  if (files.both.length > 0) lines.push(pair(fileLine("both", files.both), [], at));
  if (files.onlyA.length + files.onlyB.length > 0)
    lines.push(pair(fileLine("only", files.onlyA), fileLine("only", files.onlyB), at));
  return lines;
}

function belowFacts(model: CompareModel, { glyphs }: LayoutOptions): Line[] {
  const { files, a, b } = model;
  const [here, there] = [`in #${a.number}`, `in #${b.number}`];
  const named: readonly Line[] = [
    fileLine("both", files.both),
    fileLine(`only #${a.number}`, files.onlyA),
    fileLine(`only #${b.number}`, files.onlyB),
  ];
  return [
    [span(" "), ...fileCounts(files, { dot: glyphs.dot, a: here, b: there })],
    ...named.filter((line) => line.length > 0),
  ];
}

function hasFiles({ files: { onlyA, both, onlyB } }: CompareModel): boolean {
  return onlyA.length + both.length + onlyB.length > 0;
}

function hints(model: CompareModel, state: CompareState, { width, hint }: LayoutOptions): Line {
  const turns = model.rows.length > 0;
  const possible = (id: string, when: boolean) => (when ? hint(id) : "");
  if (state.words)
    return hintLine(
      [
        { keys: hint("compare.close"), text: "back", keep: true },
        { keys: hint("compare.help"), text: "keys" },
      ],
      width,
    );
  return hintLine(
    [
      { keys: hint("compare.side"), text: "side", priority: 5 },
      { keys: hint("compare.enter"), text: "go there", keep: true },
      { keys: possible("compare.pick", turns), text: "pick turn", priority: 4 },
      { keys: possible("compare.cherryPick", turns), text: "cherry-pick", priority: 3 },
      { keys: hint("compare.merge"), text: "merge", priority: 2 },
      { keys: possible("compare.words", turns), text: "words", priority: 1 },
      { keys: hint("compare.export"), text: "export" },
      { keys: possible("compare.files", hasFiles(model)), text: "diff" },
      { keys: hint("compare.help"), text: "keys", keep: true },
    ],
    width,
  );
}
