/** `bough import`: imports sessions of other agents, or updates earlier imports. */

import { AGENT_NAMES, AGENT_TITLES } from "@bough/session/entry/index.js";
import { counted, shortBytes } from "@bough/session/text/index.js";
import type { ForeignSession } from "@bough/workbench/interop/index.js";
import { ImportedFiles } from "@bough/workbench/interop/internal.js";
import { usageError } from "../../cli-error.js";
import type { SubcommandCall, SubcommandRow } from "../subcommand.js";
import { askEnter, canAsk } from "./confirm.js";
import { noteDamaged } from "./damaged-notice.js";
import { foundColumns, foundJson, foundTsv } from "./found-list.js";
import { type ImportChoice, importChoice } from "./import-choice.js";
import { importSessions } from "./import-sessions.js";
import { noteUnreadable } from "./unreadable-notice.js";

export const row: SubcommandRow = {
  name: "import",
  usage: "[session...]",
  summary: "Import other agents' sessions",
  details:
    "Works with Claude Code, Codex, opencode, Gemini CLI and pi. Name a session by its transcript's path, its ID, the start of its ID, agent:ID or its title; for a database, path#ID. Without arguments, lists this folder's sessions and imports nothing. Branches, compactions, tool calls and sub-agents are imported; records without an equivalent are kept as notes, and unreadable ones are reported. The transcript is not modified. Importing again adds what is new.",
  flags: {
    all: { short: "a", help: "import every session found; asks first" },
    here: { help: "import this folder's sessions; asks first" },
    agent: {
      value: "agent",
      choices: AGENT_NAMES,
      repeatable: true,
      help: "only this agent's sessions; repeatable",
    },
    "dry-run": { help: "report what would be imported, without writing" },
    report: { help: "show how each record was converted, with line numbers" },
    yes: { short: "y", help: "do not ask for confirmation" },
  },
  examples: [
    ["import", "list other agents' sessions in this folder"],
    ["import 700a8432", "import one"],
    ["import ~/.codex/sessions/2026/11/15/rollout-x.jsonl --dry-run", "show what would be imported"],
    ["import --all --agent claude-code --agent pi", "import everything from two agents"],
  ],
  json: `{ "sessions": [{ source: { agent, id, path, cwd, title }, kind: "imported" | "extended" | "unchanged", session: { id, path } or null, entries, turns, branches, since, folder: "there" | "gone" | "unknown", rewritten, changed, report: { records, kept, converted, notes, reported, damaged, unknown, lines? } }], "empty": [source], "failed": [{ source, error }], "dryRun" }; entries, turns and branches count what was added. Without arguments: { "found": [{ agent, id, path, cwd, title, created, modified, bytes, imported: path or null }], "elsewhere": number }.`,
  args: { least: 0, most: Number.POSITIVE_INFINITY },
  completes: "none",
};

export async function run(call: SubcommandCall): Promise<number> {
  const choice = await importChoice(call);
  if (choice.kind !== "named") await noteUnreadable(call, call.flags.all("agent"));
  if (choice.kind === "list") noteDamaged(call, choice.all);
  if (choice.kind === "list") return list(choice, call);
  if (choice.kind === "found") {
    const { out, flags } = call;
    if (choice.sessions.length === 0) out.notice(flags.isOn("here") ? NONE_HERE : NONE);
    else if (!(await agreed(choice, call))) {
      out.notice("Nothing was imported.");
      return 1;
    }
  }
  return importSessions(choice, call);
}

const NONE = "No sessions from other agents found.";
const NONE_HERE = "No sessions from other agents in this folder.";

type Chosen<Kind extends ImportChoice["kind"]> = Extract<ImportChoice, { readonly kind: Kind }>;

async function list(
  { sessions, elsewhere, all }: Chosen<"list">,
  { out, places, now }: SubcommandCall,
): Promise<number> {
  const imported = new ImportedFiles(places);
  if (out.json) {
    const found = sessions.map((session) => foundJson(session, imported));
    await out.values({ elsewhere }, "found", found);
    return 0;
  }
  if (!out.isTerminal) {
    await out.raw(foundTsv(sessions, imported));
    return 0;
  }
  const [width, then] = [out.width, now().getTime()];
  if (sessions.length === 0) out.line(NONE_HERE);
  else {
    await out.lines(foundColumns(sessions, { imported, width, now: then, folders: "one", all }));
    out.line();
    out.line("To import one: bough import <id>. To import all of them: bough import --here");
  }
  if (elsewhere > 0)
    out.line(`In other folders there ${elsewhere === 1 ? "is 1 more" : `are ${elsewhere} more`}: bough import --all`);
  return 0;
}

/** Never imports many sessions by surprise: says first which, how many and how large. */
async function agreed({ sessions, all }: Chosen<"found">, call: SubcommandCall): Promise<boolean> {
  const { flags, out, places } = call;
  if (flags.isOn("yes") || flags.isOn("dry-run")) return true;
  if (!canAsk()) throw usageError("Cannot ask for confirmation: not a terminal", "Pass --yes to confirm.");
  const imported = new ImportedFiles(places);
  if (!out.json) {
    const folders = flags.isOn("here") ? "one" : "many";
    const [width, now] = [out.width, call.now().getTime()];
    await out.lines(foundColumns(sessions, { imported, width, now, folders, all }));
    out.line();
  }
  const known = sessions.filter((session) => imported.find(session) !== undefined).length;
  const again =
    known === 0
      ? ""
      : ` ${known === 1 ? "1 of them is already imported and gets" : `${known} of them are already imported and get`} what is new.`;
  const agents = [...new Set(sessions.map(({ agent }) => AGENT_TITLES[agent]))].join(", ");
  return askEnter(
    {
      question: `${counted(sessions.length, "session")} of ${agents}, ${shortBytes(bytesOf(sessions))}.${again}`,
      enter: sessions.length === 1 ? "imports it" : "imports them",
      esc: "leaves it",
    },
    call,
  );
}

/** A database has its size, however many of its sessions are selected. */
function bytesOf(sessions: readonly ForeignSession[]): number {
  const sizes = new Map(sessions.map(({ path, size }) => [path, size]));
  return [...sizes.values()].reduce((sum, size) => sum + size, 0);
}
