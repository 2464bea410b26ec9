/** Describes sessions, places and outcomes, consistently in every answer. */
import { AGENT_TITLES } from "@bough/session/entry/index.js";
import { longAge, shownPath } from "@bough/session/text/index.js";
import { cutWords } from "../facts/cut-words.js";
import type { Place, TurnFacts } from "../facts/facts.js";
import type { KnownSession } from "../store/history.js";

const PLACES: Readonly<Record<Place, string>> = {
  active: "on the active path",
  left: "on a branch that was left",
  compacted: "on the active path, before a compaction",
};

export function placeWords(place: Place): string {
  return PLACES[place];
}

/** "Claude Code · 2 days ago · ~/project · Fix the lexer". The age is omitted unless `now` is given. */
export function sessionWords(session: KnownSession, now?: Date): string {
  const { agent, modified, cwd, title } = session;
  const who = agent === undefined ? "Bough" : AGENT_TITLES[agent];
  return [who, now === undefined ? "" : longAge(modified, now.getTime()), shownPath(cwd), cutWords(title, 60)]
    .filter(Boolean)
    .join(" · ");
}

/** "branch #2 (try a lookup table)" */
export function branchWords({ facts }: KnownSession, branch: number): string {
  const name = facts.branches.find(({ number }) => number === branch)?.name;
  return name === undefined || name === "" ? `branch #${branch}` : `branch #${branch} (${name})`;
}

const LEFT_BY: Readonly<Record<string, string>> = {
  undo: "/undo",
  pop: "/pop",
  redo: "/redo",
  tree: "a move in the tree",
  branch: "a new branch",
  switch: "/switch",
  retry: "a retry",
  attempt: "another attempt",
};

/** "failed-check: npm test exited with 1; then left by a move in the tree" */
export function outcomeWords(turn: TurnFacts): string {
  const { outcome, check, stopped, place, leftBy, merged, restored } = turn;
  const parts: string[] = [];
  if (check?.failed === true) {
    parts.push(`${check.command} ${check.exitCode === undefined ? "failed" : `exited with ${check.exitCode}`}`);
  } else if (check !== undefined) parts.push(`${check.command} passed`);
  if (stopped === "error") parts.push("the model failed");
  if (stopped === "aborted") parts.push("it was stopped");
  if (merged === true) parts.push("merged into the active path");
  else if (place === "left") parts.push(`left by ${leftBy === undefined ? "going back" : (LEFT_BY[leftBy] ?? leftBy)}`);
  if (restored !== undefined) parts.push(`${restored} of its files restored to their previous state`);
  return parts.length === 0 ? outcome : `${outcome}: ${parts.join("; ")}`;
}

export function addressOf({ reference }: KnownSession, entryId: string): string {
  return `${reference}#${entryId}`;
}
