/** Attempts as list rows: name, state and what they do, use, check and changes. */
import type { Attempt } from "@bough/agent/agent/index.js";
import { isEnded } from "@bough/agent/agent/internal.js";
import { counted, firstWords } from "@bough/session/text/index.js";
import { span, type Tone } from "@bough/session/view/index.js";
import {
  attemptCells,
  attemptStep,
  type Column,
  type DrawnList,
  type Hint,
  type LayoutOptions,
  tableScreen,
} from "@bough/session/view/internal.js";
import type { ListView } from "../list/list-content.js";

export function layoutAttempts(view: ListView, attempts: readonly Attempt[], options: LayoutOptions): DrawnList {
  const chosen = attempts[view.selected];
  const running = attempts.filter((one) => !isEnded(one)).length;
  const last = chosen?.check?.last ?? [];
  const notes = chosen?.check?.passed === false ? last.slice(-3) : [];
  return tableScreen(
    {
      head: {
        title: "Attempts",
        facts: [counted(attempts.length, "attempt"), ...(running === 0 ? [] : [`${running} running`])],
      },
      columns: columnsOf(attempts),
      rows: attempts,
      empty: "No attempts in this session. Start some with /try 3 ...",
      notes: notes.map((line) => [span(` ${firstWords(line, 300)}`, "muted")]),
      hints: hints(chosen, options),
    },
    view,
    options,
  );
}

function toneOf({ state, check }: Attempt): Tone {
  if (check !== undefined) return check.passed ? "good" : "bad";
  if (state === "asking") return "note";
  return ["failed", "interrupted", "limit"].includes(state) ? "bad" : "text";
}

function columnsOf(attempts: readonly Attempt[]): readonly Column<Attempt>[] {
  const longest = Math.max(0, ...attempts.map(({ name }) => name.length));
  return [
    { width: Math.min(longest, 16) + 2, text: ({ name }) => name, tone: () => "text" },
    { name: "agent", from: 60, width: 18, gap: 1, text: (one, room) => attemptCells(one).driver.slice(-room) },
    {
      least: 8,
      gap: 1,
      text: (one) => firstWords(attemptStep(one), 200),
      tone: (one) => (one.check === undefined ? toneOf(one) : "muted"),
    },
    { name: "check", from: 36, width: 16, text: (one) => attemptCells(one).check, tone: toneOf },
    { name: "changes", from: 76, width: 18, align: "right", text: (one) => attemptCells(one).changes },
    { name: "tokens", from: 100, width: 8, align: "right", text: (one) => attemptCells(one).tokens },
    { name: "cost", from: 90, width: 8, align: "right", text: (one) => attemptCells(one).cost },
    { name: "time", from: 50, width: 7, align: "right", text: (one) => attemptCells(one).time },
  ];
}

function hints(chosen: Attempt | undefined, { hint }: LayoutOptions): readonly Hint[] {
  const ended = chosen !== undefined && isEnded(chosen);
  return [
    { keys: hint("attempts.enter"), text: "look inside", priority: 1 },
    ...(ended ? [{ keys: hint("attempts.keep"), text: "keep", keep: true as const }] : []),
    { keys: hint("attempts.diff"), text: "diff", priority: 2 },
    ...(ended ? [] : [{ keys: hint("attempts.stop"), text: "stop", keep: true as const }]),
    ...(ended ? [] : [{ keys: hint("attempts.message"), text: "message", priority: 3 }]),
    { keys: hint("attempts.help"), text: "keys", priority: 4 },
    { keys: hint("attempts.close"), text: "close" },
  ];
}
