/** Agents that can do the turns as list rows: name, state, what they bill. */
import type { AgentState } from "@bough/agent/driver/internal.js";
import { firstWords } from "@bough/session/text/index.js";
import { type Line, span, type Tone } from "@bough/session/view/index.js";
import {
  type Column,
  type DrawnList,
  type Hint,
  type LayoutOptions,
  tableScreen,
  wrapWords,
} from "@bough/session/view/internal.js";
import { type AgentFacts, billsWords, nextStep, OWN_AGENT, stateWords } from "../../command/internal.js";
import type { ListView } from "../list/list-content.js";

/** Bough's own agent has no facts. */
export interface AgentRow {
  readonly name: string;
  readonly title: string;
  readonly facts: AgentFacts | undefined;
  /** It does the turns now. */
  readonly isCurrent: boolean;
  /** It is being started, to see whether it works. */
  readonly isLooking: boolean;
}

interface AgentsDrawn extends ListView {
  readonly rows: readonly AgentRow[];
  /** Of Bough's own agent. */
  readonly model: string | undefined;
}

export function layoutAgents(drawn: AgentsDrawn, options: LayoutOptions): DrawnList {
  const { rows, selected, model } = drawn;
  const chosen = rows[selected];
  return tableScreen(
    {
      head: { title: "Agents", facts: ["who does the turns from here on"] },
      columns: columnsFor(drawn),
      rows,
      notes: chosen === undefined ? [] : notesOf(chosen, { model, width: options.width }),
      hints: hints(chosen, options),
    },
    drawn,
    options,
  );
}

function columnsFor({ model }: AgentsDrawn): readonly Column<AgentRow>[] {
  const state = ({ facts, isLooking }: AgentRow) =>
    isLooking ? "starting" : facts === undefined ? (model ?? "no model") : shortState(facts.state);
  return [
    { width: 10, text: ({ name }) => name, tone: ({ facts }) => (facts?.state.kind === "missing" ? "muted" : "text") },
    { width: 5, text: ({ isCurrent }) => (isCurrent ? "now" : ""), tone: () => "here" },
    { least: 12, most: 32, text: state, tone: ({ facts }) => TONES[facts?.state.kind ?? "ready"] },
    {
      from: 70,
      width: 14,
      text: ({ facts }) => (facts === undefined ? "" : ASKS[facts.agent.asks]),
      tone: () => "muted",
    },
  ];
}

const TONES: Readonly<Record<AgentState["kind"], Tone>> = {
  missing: "muted",
  installed: "text",
  ready: "good",
  login: "note",
  failed: "bad",
};

const ASKS = { always: "asks", sometimes: "asks sometimes", never: "never asks", unknown: "" } as const;

function shortState(state: AgentState): string {
  return state.kind === "failed" ? "failed" : stateWords(state);
}

/** What to know about the selected one. */
function notesOf(
  { facts, title }: AgentRow,
  { model, width }: { readonly model: string | undefined; readonly width: number },
): readonly Line[] {
  const texts =
    facts === undefined
      ? [model === undefined ? `${title}: choose a model with /model` : `${title}, with ${model}`]
      : [
          ...(facts.state.kind === "failed" ? [stateWords(facts.state)] : []),
          nextStep(facts),
          ...(billsWords(facts) === "" ? [] : [`${title} ${billsWords(facts)} instead of your subscription`]),
        ];
  return texts.flatMap((text) =>
    wrapWords(firstWords(text, 300), Math.max(10, width - 2)).map((line): Line => [span(` ${line}`, "muted")]),
  );
}

function hints(row: AgentRow | undefined, { hint }: LayoutOptions): readonly Hint[] {
  const kind = row?.facts?.state.kind;
  return [
    ...(kind === "missing" || row?.isCurrent === true
      ? []
      : [{ keys: hint("agent.enter"), text: "use", keep: true as const }]),
    ...(kind === "login" ? [{ keys: hint("agent.login"), text: "log in", keep: true as const }] : []),
    ...(kind === undefined || kind === "missing" ? [] : [{ keys: hint("agent.check"), text: "check", priority: 2 }]),
    { keys: hint("agent.help"), text: "keys", priority: 3 },
    { keys: hint("agent.close"), text: "close" },
  ];
}

/** Bough's own agent first. */
export function agentRows(
  all: readonly AgentFacts[],
  { current, looking }: { readonly current: string; readonly looking: ReadonlySet<string> },
): readonly AgentRow[] {
  const own = { name: OWN_AGENT, title: "Bough's own agent", facts: undefined, isLooking: false };
  const others = all.map((facts) => {
    const { name, title } = facts.agent;
    return { name, title, facts, isLooking: looking.has(name) };
  });
  return [own, ...others].map((row) => ({ ...row, isCurrent: row.name === current }));
}
