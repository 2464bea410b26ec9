/** The plan of a cherry-pick or a merge: what it would add, and what it would not. */
import { counted, firstWords, shortCount } from "../../text/index.js";
import { padLine } from "../fit-line.js";
import { flowText } from "../flow-pieces.js";
import type { Glyphs } from "../glyphs.js";
import type { Hint } from "../hints.js";
import { type Line, span } from "../line.js";
import type { DrawnList, LayoutOptions } from "../list-layout.js";
import { type Column, tableScreen } from "../table-screen.js";
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
  /** Indexes of the turns that were dropped from the plan. */
  readonly dropped: ReadonlySet<number>;
  /** File changes that can be brought too. Undefined if there are none, or if they are not known yet. */
  readonly files?: PlanFiles | undefined;
}

export interface PlanFiles {
  /** Files to write or delete, and conflicts. */
  readonly count: number;
  readonly conflicts: number;
  /** Whether they are asked about, or brought without asking. */
  readonly isAsked: boolean;
}

export type PlanModel =
  | (PlanBase & {
      readonly kind: "cherry-pick";
      /** Chosen entries that are not copied, with the agent's reason. */
      readonly skipped: readonly { readonly reason: "on-this-path" | "copied-before" | "no-content" }[];
    })
  | (PlanBase & {
      readonly kind: "merge";
      readonly form: "summary" | "turns";
      /** The usual size of a summary. Default 600. */
      readonly summaryTokens?: number;
    });

export interface PlanState {
  readonly selected: number;
  readonly top: number;
}

export function layoutPlan(model: PlanModel, { selected, top }: PlanState, options: LayoutOptions): DrawnList {
  const { glyphs, width } = options;
  const { turns } = model;
  const below = model.kind === "merge" && turns.length > 0 ? forms(model, options) : [];
  return tableScreen(
    {
      head: { title: titleText(model), below, divider: "none" },
      columns: columnsAt(model, glyphs),
      rows: turns.map((turn, index) => ({ turn, isDropped: model.dropped.has(index) })),
      empty: flowText(nothingText(model), width).map((line) => padLine(line, width, glyphs.ellipsis)),
      notes: remarks(model, options),
      hints: hints(model, options),
      position: "",
    },
    // With a summary, turns cannot be selected.
    { selected: isSummary(model) ? -1 : selected, top },
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
  if (model.kind === "cherry-pick")
    return `Cherry-pick ${counted(keptTurns(model).length, "turn")}${from} into #${model.onto.number}`;
  return `Merge ${model.from === undefined ? "a branch" : branchText(model.from)} into #${model.onto.number}`;
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

interface TurnRow {
  readonly turn: PlanTurn;
  readonly isDropped: boolean;
}

function columnsAt(model: PlanModel, { about }: Glyphs): readonly Column<TurnRow>[] {
  const signOf = ({ turn, isDropped }: TurnRow) => (isDropped ? "-" : turn.conflicts.length > 0 ? "!" : "+");
  const tones = { "-": "muted", "!": "bad", "+": "good" } as const;
  const isMuted = ({ isDropped }: TurnRow) => isDropped || isSummary(model);
  return [
    { width: 2, text: signOf, tone: (row) => tones[signOf(row)] },
    { gap: 1, text: ({ turn }) => turn.title, tone: (row) => (isMuted(row) ? "muted" : "text") },
    { from: 70, width: 29, text: ({ turn }) => toolText(turn) },
    {
      from: 36,
      width: 16,
      align: "right",
      text: ({ turn, isDropped }) => (isDropped ? "left out" : `${about}${shortCount(turn.tokens)} tokens`),
    },
  ];
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
  lines.push(...flowText(filesText(model.files), width));
  return lines;
}

function filesText(files: PlanFiles | undefined): string {
  if (files === undefined) return "Conversation only: files on disk are unchanged.";
  const { count, conflicts, isAsked } = files;
  const what = `${counted(count, "changed file")}${conflicts === 0 ? "" : ` (${counted(conflicts, "conflict")})`}`;
  return isAsked ? `Enter asks whether to bring ${what} too.` : `Brings ${what} too.`;
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

function hints(model: PlanModel, { width, hint }: LayoutOptions): readonly Hint[] {
  const kept = keptTurns(model).length;
  const target = `#${model.onto.number}`;
  const summary = isSummary(model);
  const narrow = width < 60;
  const apply = summary ? (narrow ? "bring it" : "bring a summary") : `add to ${target}`;
  const other = summary ? "turns" : "summary";
  const possible = (id: string, when: boolean) => (when ? hint(id) : "");
  return [
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
  ];
}

function sum(turns: readonly PlanTurn[]): number {
  let tokens = 0;
  for (const turn of turns) tokens += turn.tokens;
  return tokens;
}
