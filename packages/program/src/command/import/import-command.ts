/** /import: a session of another agent, as one of Bough's own. */

import { matchForeign } from "@bough/workbench/find/index.js";
import type { ForeignSession } from "@bough/workbench/interop/index.js";
import { foreignFacts, foreignRow, listForeign } from "@bough/workbench/interop/internal.js";
import { readArguments } from "../arguments.js";
import { working } from "../availability.js";
import type { Command, CommandOutcome } from "../command.js";
import { fileCompletions } from "../completions.js";
import { shown, unchanged } from "../outcome.js";
import { noForeignNotice, SENTENCES, severalSessionsNotice } from "../sentences.js";
import { importAndOpen } from "./import-foreign.js";
import { ownSession } from "./own-session.js";

const SHOWN = 20;

export const IMPORT_COMMAND: Command = {
  name: "import",
  group: "session",
  usage: "[file|id|words]",
  summary: "Import another agent's session and continue it",
  details:
    "Takes a transcript from Claude Code, Codex, opencode, Gemini CLI or pi, by its file (file#id for one session in a database), its ID, the start of its ID, or words from its title. Branches are kept; records without an equivalent are kept as notes. Importing again adds only what is new. The transcript is not modified. Without an argument, lists the sessions in the agents' default folders.",
  complete: (context, typed) => (/^[.~/]/.test(typed) ? fileCompletions(context, typed) : []),
  unavailable: working,
  async run(context, args) {
    const wanted = readArguments(args).words.join(" ");
    const screen = context.front.screens.has("import");
    if (wanted === "") {
      if (!screen) return listing(await listForeign({ places: context.agentPlaces }));
      return shown(context.front, { screen: "import" });
    }
    const match = await matchForeign(wanted, context);
    if (match.kind === "one") return importAndOpen(context, match.session);
    if (match.kind === "own") throw ownSession(match.path);
    if (match.kind === "none") return unchanged(noForeignNotice(wanted), "session-not-found");
    if (screen) return shown(context.front, { screen: "import", search: wanted });
    const rows = match.sessions.map(foreignRow);
    return unchanged(severalSessionsNotice(wanted, rows.slice(0, SHOWN), rows.length), "ambiguous-reference");
  },
};

function listing(sessions: readonly ForeignSession[]): CommandOutcome {
  if (sessions.length === 0) return unchanged(SENTENCES.noForeign);
  const more = sessions.length > SHOWN ? [`  and ${sessions.length - SHOWN} more`] : [];
  const listed = sessions.slice(0, SHOWN);
  return {
    kind: "done",
    message: [...listed.map(foreignRow), ...more].join("\n"),
    hint: SENTENCES.importWithId,
    data: { total: sessions.length, sessions: listed.map(foreignFacts) },
  };
}
