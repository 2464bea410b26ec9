/** Subcommands that take sessions over from other agents, and hand them back. */
import type { Subcommand } from "../subcommand.js";

const AGENTS = ["claude-code", "codex", "opencode", "gemini", "pi"];

const REPORT = "{ records, kept, converted, notes, reported, damaged, unknown, lines? }";

export const AGENT_COMMANDS: readonly Subcommand[] = [
  {
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
        choices: AGENTS,
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
    json: `{ "sessions": [{ source: { agent, id, path, cwd, title }, kind: "imported" | "extended" | "unchanged", session: { id, path } or null, entries, turns, branches, since, folder: "there" | "gone" | "unknown", rewritten, changed, report: ${REPORT} }], "empty": [source], "failed": [{ source, error }], "dryRun" }; entries, turns and branches count what was added. Without arguments: { "found": [{ agent, id, path, cwd, title, created, modified, bytes, imported: path or null }], "elsewhere": number }.`,
    args: { least: 0, most: Number.POSITIVE_INFINITY },
    completes: "none",
    load: () => import("../import/import.js"),
  },
  {
    name: "handoff",
    usage: "<agent> [session[#entry]]",
    summary: "Convert a path to a session another agent can resume",
    details:
      "Writes the path up to the entry (default: the current position) as a new transcript for claude-code, codex, opencode, gemini or pi, in that agent's own session folder, and prints the command that resumes it. Name a branch by its number in bough tree: session#2. Other agents' sessions can be handed off too. If the target cannot store something, that is listed and asked about; without a terminal or with --json it needs --yes. Nothing is overwritten.",
    flags: {
      to: { value: "folder", help: "folder to resume in (default: the session's folder)" },
      report: { help: "list every entry the target cannot store as is" },
      "dry-run": { help: "report what would be written, without writing" },
      yes: { short: "y", help: "write without what the target cannot store" },
    },
    examples: [
      ["handoff codex", "continue the last session here in Codex"],
      ["handoff codex 4f2a#2", "branch 2 of a session, as numbered by bough tree"],
      ["handoff claude-code 4f2a#before-rewrite", "the path to a label"],
      ["handoff pi codex:01a1de66 --dry-run", "from Codex to pi; show what would be lost"],
    ],
    json: '{ "session": { id, path, name, leafId }, "entryId", "agent", "file": path, "written": boolean, "sessionId", "records", "losses": [{ entryId, what, effect }], "leftOut": [{ entryId, what, effect }], "resume": { command: [...], before?: [...], cwd, shell } }',
    args: { least: 1, most: 2 },
    completes: AGENTS,
    load: () => import("../import/handoff.js"),
  },
];
