/** /search: searches all sessions. */
import { type SearchHit, searchSessions } from "@bough/session/session/index.js";
import { titleOf } from "@bough/session/text/index.js";
import { wrongArguments } from "../arguments.js";
import type { Command, CommandContext, CommandOutcome } from "../command.js";
import { shownOr, unchanged } from "../outcome.js";

/** Without a screen the user cannot stop it or scroll. */
const MOST = 50;
const SHOWN = 20;

export const SEARCH_COMMAND: Command = {
  name: "search",
  group: "session",
  usage: "<words>",
  summary: "Search this session and all others",
  details:
    'Matches entries that contain all words, in any order. Quote "a phrase"; put re: before a regular expression. Searches every branch, including compacted entries.',
  async run(context, args) {
    if (args === "" && !context.front.screens.has("search"))
      throw wrongArguments("Missing argument: what to search for");
    return shownOr(context, { screen: "search", words: args }, () => searched(context, args));
  },
};

async function searched({ sessionDir, agent }: CommandContext, words: string): Promise<CommandOutcome> {
  const own = agent.session.getSessionFile();
  const hits: SearchHit[] = [];
  const found = searchSessions(words, { dir: sessionDir, files: own === undefined ? undefined : [own], limit: MOST });
  for await (const hit of found) hits.push(hit);
  if (hits.length === 0) return unchanged(`No entry matches "${titleOf(words)}".`);
  const lines = hits.slice(0, SHOWN).map(({ address, excerpt }) => `  ${titleOf(excerpt, 100)}  ${address}`);
  if (hits.length > SHOWN) lines.push(`  and ${hits.length === MOST ? "more" : `${hits.length - SHOWN} more`}`);
  return { kind: "done", message: lines.join("\n"), data: { hits } };
}
