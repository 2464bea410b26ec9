/** What a cherry-pick or a merge would add, turn by turn. */
import { type EntryId, entryText, resultIn, type SessionEntry, startsTurn } from "../../entry/index.js";
import { counted, firstWords } from "../../text/index.js";
import { callsIn, messageIn, textIn } from "../transcript/read-content.js";
import { pathIn, toolTitle } from "../transcript/tool-title.js";

export interface PlanTurn {
  /** Every copied entry of the turn, in order. */
  readonly ids: readonly EntryId[];
  /** The prompt, or the first text or tool call of a turn without one. */
  readonly title: string;
  readonly toolCalls: number;
  readonly toolResults: number;
  readonly tokens: number;
  /** Files it changes that the other side changed too. */
  readonly conflicts: readonly string[];
}

export interface PlanSurroundings {
  readonly tokensOf: (entry: SessionEntry) => number;
  /** Files that the target branch has changed since the split. */
  readonly changedThere: ReadonlySet<string>;
}

/** Groups entries, in order, into turns. A prompt starts a turn; entries before the first prompt form a turn too. */
export function planTurns(entries: readonly SessionEntry[], surroundings: PlanSurroundings): PlanTurn[] {
  const stretches: SessionEntry[][] = [];
  for (const entry of entries) {
    const current = stretches.at(-1);
    if (current === undefined || startsTurn(entry)) stretches.push([entry]);
    else current.push(entry);
  }
  return stretches.map((stretch) => turnOf(stretch, surroundings));
}

function turnOf(entries: readonly SessionEntry[], { tokensOf, changedThere }: PlanSurroundings): PlanTurn {
  const failed = new Set<string>();
  for (const entry of entries) {
    const result = resultIn(entry);
    if (result?.isError === true) failed.add(result.toolCallId);
  }
  const conflicts = new Set<string>();
  let toolCalls = 0;
  let toolResults = 0;
  let tokens = 0;
  for (const entry of entries) {
    tokens += tokensOf(entry);
    if (resultIn(entry) !== undefined) toolResults += 1;
    for (const { id, name, arguments: input } of callsIn(entry)) {
      toolCalls += 1;
      const path = name === "edit" || name === "write" ? pathIn(input) : "";
      if (path !== "" && !failed.has(id) && changedThere.has(path)) conflicts.add(path);
    }
  }
  return {
    ids: entries.map(({ id }) => id),
    title: titleOf(entries),
    toolCalls,
    toolResults,
    tokens,
    conflicts: [...conflicts],
  };
}

function titleOf(entries: readonly SessionEntry[]): string {
  for (const entry of entries) {
    const [call] = callsIn(entry);
    const words = wordsOf(entry).trim();
    const text = firstWords(words === "" && call !== undefined ? toolTitle(call.name, call.arguments) : words);
    if (text !== "") return text;
  }
  return "(no text)";
}

function wordsOf(entry: SessionEntry): string {
  const message = messageIn(entry);
  return message?.role === "bashExecution" ? `! ${textIn(message.command)}` : entryText(entry);
}

/** "1 turn edits src/lex.ts, which #1 changed later"; undefined if nothing collides. Dropped turns do not count. */
export function conflictText(
  turns: readonly PlanTurn[],
  { dropped, onto }: { readonly dropped: ReadonlySet<number>; readonly onto: string },
): string | undefined {
  const files = new Set<string>();
  let colliding = 0;
  for (const [index, { conflicts }] of turns.entries()) {
    if (dropped.has(index) || conflicts.length === 0) continue;
    colliding += 1;
    for (const file of conflicts) files.add(firstWords(file, 200));
  }
  const [first] = files;
  if (first === undefined) return undefined;
  const more = files.size > 1 ? ` and ${counted(files.size - 1, "more file")}` : "";
  return `${counted(colliding, "turn")} ${colliding === 1 ? "edits" : "edit"} ${first}${more}, which ${onto} changed later`;
}
