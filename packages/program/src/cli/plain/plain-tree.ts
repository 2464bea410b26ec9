/** The tree in plain lines: a numbered outline, printed once, followed by a prompt for what to do. */

import type { EntryId } from "@bough/session/entry/index.js";
import {
  firstRow,
  initialTree,
  nextMatch,
  openRow,
  plainTree,
  TreeModel,
  TreeSearch,
  type TreeState,
  withSearch,
} from "@bough/session/view/index.js";
import { openBranch, parsePlainAnswer } from "@bough/session/view/internal.js";
import { type CommandContext, type CommandOutcome, moveTo } from "../../command/index.js";
import { originsOf } from "../../command/internal.js";
import type { PlainVoice } from "./plain-questions.js";

/** Asks until the user selects an entry or quits. */
export async function showPlainTree(context: CommandContext, voice: PlainVoice, search = ""): Promise<CommandOutcome> {
  const source = context.agent.session.getSource();
  const model = new TreeModel(source, undefined, originsOf(context));
  let state = search === "" ? initialTree() : found(model, initialTree(), search);
  let read: TreeState | undefined;
  for (;;) {
    const drawn = plainTree(model, state, { now: context.now().getTime() });
    // A screen reader reads all of it, so it is printed again only if it changed.
    if (state !== read) for (const line of drawn.lines) voice.say(line);
    read = state;
    const said = (await voice.ask(drawn.question)) ?? "q";
    const answer = parsePlainAnswer(said, drawn.numbered.length);
    switch (answer.kind) {
      case "quit":
        return { kind: "shown" };
      case "branch":
        state = withBranch(model, state, answer.branch);
        break;
      case "search":
        state = found(model, state, answer.words);
        if (state.search?.matches.length === 0) voice.say(`No entry matches "${answer.words}".`);
        break;
      case "earlier":
        state = openRow(model, firstRow(model, state));
        break;
      case "unclear":
        voice.say(answer.message);
        break;
      case "go": {
        const row = drawn.numbered[answer.number - 1];
        if (row !== undefined && row.n >= 0) {
          const place = row.kind === "entry" ? "selected" : "exact";
          return moveTo(context, { targetId: source.tree.ids.textOf(row.n) as EntryId, place });
        }
      }
    }
  }
}

/** Unfolds a branch, or folds it again. */
function withBranch(model: TreeModel, state: TreeState, branch: number): TreeState {
  if (branch < 1 || branch > model.branches.count) return state;
  const first = model.branches.firstOf(branch);
  if (!state.opened.has(first)) return openBranch(model, state, branch);
  const opened = new Set(state.opened);
  opened.delete(first);
  return { ...state, opened };
}

/** Searches everything: in plain mode the next answer has to wait anyway. */
function found(model: TreeModel, state: TreeState, words: string): TreeState {
  const search = new TreeSearch(model, words, { filter: state.filter });
  while (search.advance(() => false) === "more") {
    // Each call does a part.
  }
  return nextMatch(model, withSearch(state, search));
}
