/** Subcommands that take sessions over from other agents, and hand them back. */
import type { Subcommand } from "../subcommand.js";

const AGENTS = ["claude-code", "codex", "opencode", "gemini", "pi"];

const REPORT = "{ records, kept, converted, notes, reported, damaged, unknown, lines? }";

export const AGENT_COMMANDS: readonly Subcommand[] = [
  {
    name: "import",
    usage: "[session...]",
    summary: "Import sessions of other agents",
    details:
      "Claude Code, Codex, opencode, Gemini CLI and pi. A session is named by the path of its transcript, its id, the start of its id, agent:id or its title; in a database path#id. Without one, those of this folder are listed and nothing is imported. Branches, compactions, calls and sub-agents are imported; records without an equivalent are kept as notes, and unreadable ones are reported. The transcript itself is only read. Importing again adds what is new.",
    flags: {
      all: { short: "a", help: "every session that is found; asks first" },
      here: { help: "those of this folder; asks first" },
      agent: {
        value: "agent",
        choices: AGENTS,
        repeatable: true,
        help: "only of this agent; can be given several times",
      },
      "dry-run": { help: "report what would be imported, without writing" },
      report: { help: "what became of every record, with line numbers" },
      yes: { short: "y", help: "do not ask" },
    },
    examples: [
      ["import", "what other agents did in this folder"],
      ["import 700a8432", "one of them"],
      ["import ~/.codex/sessions/2026/11/15/rollout-x.jsonl --dry-run", "what would be imported"],
      ["import --all --agent claude-code --agent pi", "everything of two agents"],
    ],
    json: `{ "sessions": [{ source: { agent, id, path, cwd, title }, kind: "imported" | "extended" | "unchanged", session: { id, path } or null, entries, turns, branches, since, folder: "there" | "gone" | "unknown", rewritten, changed, report: ${REPORT} }], "empty": [source], "failed": [{ source, error }], "dryRun" }; entries, turns and branches are those that were added. Without a session { "found": [{ agent, id, path, cwd, title, created, modified, bytes, imported: path or null }], "elsewhere": number }.`,
    args: { least: 0, most: Number.POSITIVE_INFINITY },
    completes: "none",
    load: () => import("../run/import.js"),
  },
  {
    name: "handoff",
    usage: "<agent> [session[#entry]]",
    summary: "Write a path as a session that another agent can resume",
    details:
      "Writes the path from the start to the entry as a new transcript of claude-code, codex, opencode, gemini or pi, where that program looks for it, and prints the command that resumes it. Without an entry, the path ends at the session's position. Name a branch with its number from bough tree: session#2. Sessions of other agents can be handed on too. What the target cannot hold is listed first. Nothing is ever overwritten.",
    flags: {
      to: { value: "folder", help: "where the other agent is resumed; default: the session's folder" },
      report: { help: "every entry that the target cannot hold as it is" },
      "dry-run": { help: "report what would be written, without writing" },
      yes: { short: "y", help: "do not ask" },
    },
    examples: [
      ["handoff codex", "continue the last session of this folder in Codex"],
      ["handoff codex 4f2a#2", "branch 2 of a session, as bough tree numbers them"],
      ["handoff claude-code 4f2a#before-rewrite", "the path to a label"],
      ["handoff pi codex:01a1de66 --dry-run", "from Codex to pi: what would be lost"],
    ],
    json: '{ "session": { id, path, name, leafId }, "entryId", "agent", "file": path, "written": boolean, "sessionId", "records", "losses": [{ entryId, what, effect }], "resume": { command: [...], before?: [...], cwd, shell } }',
    args: { least: 1, most: 2 },
    completes: AGENTS,
    load: () => import("../run/handoff.js"),
  },
];
