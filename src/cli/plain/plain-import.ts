/** Sessions of other agents in plain lines: a numbered list, printed once, and a question which one to bring here. */

import { homedir } from "node:os";
import {
  type CommandContext,
  type CommandOutcome,
  foreignListed,
  importAndOpen,
  listForeign,
} from "../../command/index.js";
import type { ForeignPlace } from "../../interop/index.js";
import { listedSessions, plainSessions, type SessionRow, sessionRow } from "../../view/internal.js";
import { importQuestion } from "../start/import-question.js";
import { askConfirm, type PlainVoice } from "./plain-questions.js";

/** More lines at once no one listens to; a search finds the others. */
const SHOWN = 20;
const QUESTION = "Number to import and open, s word to search, q to quit: ";

/** Whether another program's session is imported before it is opened. */
export async function plainAskImport(voice: PlainVoice, place: ForeignPlace): Promise<"import" | "cancel"> {
  const [title = "", ...lines] = importQuestion(place);
  return (await askConfirm(voice, { title, lines, yes: "import it", no: "leave it" })) ? "import" : "cancel";
}

/** Asks until one was chosen or the user had enough. */
export async function plainImport(
  world: CommandContext,
  { ask, say }: PlainVoice,
  search = "",
): Promise<CommandOutcome> {
  say("Looking for other agents' sessions.");
  const sessions = await listForeign({ places: world.agentPlaces });
  const rows = sessions.map((session) => sessionRow(foreignListed(session), { home: homedir() }));
  let shown = show(rows, search);
  for (;;) {
    const answer = ((await ask(QUESTION)) ?? "q").trim();
    const words = /^s\s+(.+)$/i.exec(answer)?.[1];
    const row = /^\d+$/.test(answer) ? shown[Number(answer) - 1] : undefined;
    const source = row === undefined ? undefined : sessions[rows.indexOf(row)];
    if (answer === "" || /^q(uit)?$/i.test(answer)) return { kind: "shown" };
    if (source !== undefined) return importAndOpen(world, source);
    if (words !== undefined) shown = show(rows, words);
    else say(shown.length === 0 ? "Nothing to import here." : `Numbers go from 1 to ${shown.length}.`);
  }

  function show(all: readonly SessionRow[], wanted: string): readonly SessionRow[] {
    const found = listedSessions(all, { words: wanted, sort: "recent" });
    const first = found.slice(0, SHOWN);
    for (const line of plainSessions(first, world.now().getTime())) say(line);
    if (found.length > first.length) say(`and ${found.length - first.length} older ones; search with s word`);
    return first;
  }
}
