/** The text of a turn that `tried` searches. */
import type { SessionFacts, TurnFacts } from "./facts.js";

/** One text per turn. */
export function factsText({ turns, branches, summaries }: SessionFacts): readonly string[] {
  const names = new Map(branches.map(({ number, name }) => [number, name]));
  // The first branch is the session: the words of its first prompt are not about each of its turns.
  return turns.map((turn) => turnText(turn, turn.branch > 1 ? names.get(turn.branch) : undefined, summaries));
}

function turnText(turn: TurnFacts, branch: string | undefined, summaries: SessionFacts["summaries"]): string {
  return [
    turn.prompt,
    turn.answer,
    branch ?? "",
    turn.summary === undefined ? "" : (summaries[turn.summary]?.text ?? ""),
    ...turn.changed,
    ...turn.read,
    turn.check?.command ?? "",
    turn.check?.said ?? "",
    ...turn.errors,
    ...turn.labels,
  ].join("\n");
}
