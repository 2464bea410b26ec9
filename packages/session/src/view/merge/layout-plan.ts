/** The plan of a cherry-pick or a merge: what it would bring, and what it does not do. */
import { counted, firstWords, shortCount } from "../../text/index.js";
import { padLine } from "../fit-line.js";
import { flowText } from "../flow-pieces.js";
import { hintLine } from "../hints.js";
import { type Line, span } from "../line.js";
import type { DrawnList, LayoutOptions } from "../list-layout.js";
import { frameList, tableRow } from "../table-screen.js";
import { conflictText, type PlanTurn } from "./plan-turns.js";

export interface PlanBranch {
  readonly number: number;
  readonly name: string;
}

export interface PlanBase {
  /** Undefined if turns come from several branches. */
  readonly from: PlanBranch | undefined;
  readonly onto: PlanBranch;
  readonly turns: readonly PlanTurn[];
  /** Turns by index that were taken out of the plan. */
  readonly dropped: ReadonlySet<number>;
}

export type PlanModel =
  | (PlanBase & {
      readonly kind: "cherry-pick";
      /** Chosen entries that are not copied, by the reason the agent gives. */
      readonly skipped: readonly { readonly reason: "on-this-path" | "copied-before" | "no-content" }[];
    })
  | (PlanBase & {
      readonly kind: "merge";
      readonly form: "summary" | "turns";
      /** What a summary usually takes. Default 600. */
      readonly summaryTokens?: number;
    });

export interface PlanState {
  readonly selected: number;
  readonly top: number;
}

export function layoutPlan(model: PlanModel, state: PlanState, options: LayoutOptions): DrawnList {
  const { glyphs, width } = options;
  const listed = model.turns.length > 0;
  return frameList(
    {
      head: [
        [span(` ${titleText(model)}`, "strong")],
        ...(model.kind === "merge" && listed ? forms(model, options) : []),
      ],
      foot: [...remarks(model, options), hints(model, options)],
      count: model.turns.length,
      // With a summary there is nothing to choose among the turns.
      selected: isSummary(model) ? -1 : state.selected,
      top: state.top,
      row: (index) => turnLine(model, { index, options, selected: !isSummary(model) && index === state.selected }),
      empty: flowText(nothingText(model), width).map((line) => padLine(line, width, glyphs.ellipsis)),
    },
    options,
  );
}

function isSummary(model: PlanModel): boolean {
  return model.kind === "merge" && model.form === "summary";
}

function keptTurns({ turns, dropped }: PlanModel): readonly PlanTurn[] {
  return turns.filter((_, index) => !dropped.has(index));
}

function titleText(model: PlanModel): string {
  const from = model.from === undefined ? "" : ` from ${branchText(model.from)}`;
  if (model.kind === "cherry-pick") return `Cherry-pick ${counted(keptTurns(model).length, "turn")}${from} onto @`;
  return `Merge ${model.from === undefined ? "a branch" : branchText(model.from)} into ${branchText(model.onto)}`;
}

function branchText({ number, name }: PlanBranch): string {
  const words = firstWords(name, 60);
  return words === "" ? `#${number}` : `#${number} ${words}`;
}

function forms(model: Extract<PlanModel, { kind: "merge" }>, { width, glyphs }: LayoutOptions): Line[] {
  const source = model.from === undefined ? "it" : `#${model.from.number}`;
  const tokens = sum(keptTurns(model));
  const form = (chosen: boolean, name: string, cost: string): Line => [
    ...padLine(
      [span(`   ${chosen ? glyphs.picked : " "} `), span(name, chosen ? "strong" : "text")],
      Math.min(width, 34),
      glyphs.ellipsis,
    ),
    ...(width >= 60 ? [span(cost, "muted")] : []),
  ];
  return [
    form(
      model.form === "summary",
      `bring a summary of ${source}`,
      `about ${shortCount(model.summaryTokens ?? 600)} tokens, written by the model`,
    ),
    form(
      model.form === "turns",
      "bring its turns",
      `${counted(keptTurns(model).length, "turn")}, ${glyphs.about}${shortCount(tokens)} tokens`,
    ),
  ];
}

function turnLine(
  model: PlanModel,
  at: { readonly index: number; readonly options: LayoutOptions; readonly selected: boolean },
): Line {
  const { width, glyphs } = at.options;
  const turn = model.turns[at.index] as PlanTurn;
  const dropped = model.dropped.has(at.index);
  const muted = dropped || isSummary(model);
  const sign = dropped ? "-" : turn.conflicts.length > 0 ? "!" : "+";
  const tools = width >= 70 ? 29 : 0;
  const tokens = width >= 36 ? 16 : 0;
  return tableRow(
    [
      { text: ` ${at.selected ? glyphs.selected : " "}`, width: 3 },
      { text: sign, width: 2, tone: dropped ? "muted" : sign === "!" ? "bad" : "good" },
      { text: turn.title, width: Math.max(0, width - 6 - tools - tokens), tone: muted ? "muted" : "text" },
      { text: "", width: 1 },
      { text: toolText(turn), width: tools, tone: "muted" },
      {
        text: dropped ? "left out" : `${glyphs.about}${shortCount(turn.tokens)} tokens`,
        width: tokens,
        align: "right",
        tone: "muted",
      },
    ],
    glyphs.ellipsis,
  );
}

function toolText({ toolCalls, toolResults }: PlanTurn): string {
  if (toolCalls === 0) return "";
  return `${counted(toolCalls, "tool")}${toolResults > 0 ? ", results included" : ""}`;
}

function remarks(model: PlanModel, { width }: LayoutOptions): Line[] {
  const lines: Line[] = [];
  const conflict = conflictText(model.turns, { dropped: model.dropped, onto: `#${model.onto.number}` });
  if (conflict !== undefined) {
    for (const [index, line] of flowText(conflict, width - 4).entries()) {
      lines.push([span(index === 0 ? "   ! " : "     ", "bad"), ...line.map(({ text }) => span(text.trimStart()))]);
    }
  }
  for (const text of skippedTexts(model)) lines.push(...flowText(text, width));
  lines.push(...flowText("Conversation only: files on disk are unchanged.", width));
  return lines;
}

function skippedTexts(model: PlanModel): string[] {
  if (model.kind !== "cherry-pick") return [];
  const count = (wanted: string) => model.skipped.filter(({ reason }) => reason === wanted).length;
  const texts: string[] = [];
  const say = (many: number, one: string, more: string) => {
    if (many > 0) texts.push(`Left out: ${counted(many, "entry", "entries")} ${many === 1 ? one : more}.`);
  };
  say(count("on-this-path"), "already on this path", "already on this path");
  say(count("copied-before"), "already copied here", "already copied here");
  say(count("no-content"), "with nothing to copy", "with nothing to copy");
  return texts;
}

function nothingText(model: PlanModel): string {
  const source = model.from === undefined ? "it" : `#${model.from.number}`;
  return model.kind === "merge" ? `Everything from ${source} is already here.` : "There is nothing to copy.";
}

function hints(model: PlanModel, { width, hint }: LayoutOptions): Line {
  const kept = keptTurns(model).length;
  const target = `#${model.onto.number}`;
  const summary = isSummary(model);
  const narrow = width < 60;
  const apply = summary ? (narrow ? "bring it" : "bring a summary") : `add to ${target}`;
  const other = summary ? "turns" : "summary";
  const possible = (id: string, when: boolean) => (when ? hint(id) : "");
  return hintLine(
    [
      { keys: possible("plan.apply", kept > 0), text: apply, keep: true },
      {
        keys: possible("plan.drop", !summary && model.turns.length > 0),
        text: narrow ? "drop" : "drop a turn",
        priority: 2,
      },
      {
        keys: possible("plan.form", model.kind === "merge" && model.turns.length > 0),
        text: narrow ? other : `bring ${summary ? "its" : "a"} ${other}`,
        priority: 3,
      },
      { keys: possible("plan.about", summary && kept > 0), text: "say what to keep", priority: 1 },
      { keys: hint("plan.close"), text: "back", keep: true },
      { keys: hint("plan.help"), text: "keys", keep: true },
    ],
    width,
  );
}

function sum(turns: readonly PlanTurn[]): number {
  let tokens = 0;
  for (const turn of turns) tokens += turn.tokens;
  return tokens;
}
