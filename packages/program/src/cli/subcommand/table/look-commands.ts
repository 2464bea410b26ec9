/** Subcommands that find sessions and show what is in them. They write nothing. */
import type { Subcommand } from "../subcommand.js";

const AGENTS = ["bough", "claude-code", "codex", "opencode", "gemini", "pi"] as const;
const ASCII = { ascii: { help: "use only ASCII characters" } } as const;

export const LOOK_COMMANDS: readonly Subcommand[] = [
  {
    name: "ls",
    usage: "",
    summary: "List the sessions in this folder",
    details:
      "Newest first: name or first prompt, age, turns, branches, size and cost. Turns are user prompts on all branches. Large files are counted once and cached; sessions not counted yet show ?, as do unknown prices. Run ls again, or pass --exact, to count them. --all-agents adds sessions from Claude Code, Codex, opencode, Gemini CLI and pi; an imported session is listed once, as Bough's. In a pipe, columns are separated by tabs.",
    flags: {
      all: { short: "a", help: "list every folder's sessions" },
      "all-agents": { help: "list every folder's sessions, including other agents'" },
      agent: {
        value: "agent",
        repeatable: true,
        choices: AGENTS,
        help: "only this agent's sessions; repeatable",
      },
      archived: { help: "list archived sessions of every folder" },
      store: { takesValue: true, help: "list what is in your store; --store=name for another one" },
      exact: { help: "count every listed session, even if that is slow" },
      sort: { value: "order", choices: ["recent", "name", "size"], help: "sort order (default recent)" },
      limit: { short: "n", value: "n", help: "show at most N (default 100 in a terminal)" },
    },
    examples: [
      ["ls", "sessions in this folder"],
      ["ls --all --sort size -n 10", "the ten largest sessions"],
      ["ls --all-agents", "include other agents' sessions"],
      ["ls --agent codex --agent gemini --exact", "only these two, fully counted"],
      ["ls --store", "this project's sessions on every machine"],
      ["ls --all --json", "for a script"],
    ],
    json: '{ "sessions": [{ id, agent, path, name, firstMessage, cwd, created, modified, bytes, turns, messages, branches, cost, exact, parentSession, importedFrom, archivedAt? }] }; cost is { dollars, unpriced }; agent is bough for native sessions; importedFrom is { agent, id, path }. turns, messages, branches and cost are null until counted; bytes is null if sessions share a database. With --store: { "store", "project", "sessions": [{ id, title, project, cwd, updated, replicas: [{ id, name }], here }] }',
    args: { least: 0, most: 0 },
    completes: "none",
    load: () => import("../browse/ls.js"),
  },
  {
    name: "tree",
    usage: "[session]",
    summary: "Show a session as a tree",
    details:
      "Shows the same rows as the tree in the terminal: the current path as the trunk, other branches folded. With session#entry, that entry's row is shown and marked. Defaults to the last session in this folder. Also accepts a session from Claude Code, Codex, opencode, Gemini CLI or pi, by path, ID or agent:ID; it is never modified.",
    flags: {
      filter: {
        value: "filter",
        choices: ["default", "no-tools", "user-only", "labeled-only", "all"],
        help: "entries to show (default user-only)",
      },
      "all-branches": { help: "unfold every branch" },
      whole: { help: "show long paths in full" },
      width: { value: "columns", help: "output width (default: the terminal's, or 80)" },
      ...ASCII,
    },
    examples: [
      ["tree", "the last session in this folder"],
      ["tree 4f2a --filter default", "include answers and tools"],
      ["tree 'parser session' --all-branches", "every branch unfolded"],
      ["tree claude-code:4f2a", "another agent's session, in place"],
    ],
    json: '{ "session": { id, path, name, leafId, agent? }, "rows": [{ kind, entryId, depth, branch, sign, text, turns?, entries?, tools, files, labels, trouble, active, time, leftOut? }] }',
    args: { least: 0, most: 1 },
    completes: "sessions",
    load: () => import("../browse/tree.js"),
  },
  {
    name: "show",
    usage: "[session[#entry]]",
    summary: "Print a conversation",
    details:
      "Prints the path from the first entry to the current position, or to the entry after #: an ID, the start of an ID, a label, @ for the current position, or #4 for the end of branch 4. Includes compacted entries; --context prints what the model sees instead. Also accepts other agents' sessions, like tree.",
    flags: {
      format: {
        short: "f",
        value: "format",
        choices: ["markdown", "plain", "json"],
        help: "output format (default markdown)",
      },
      context: { help: "print what the model sees there: after compaction, with summaries and edits" },
      tools: { value: "how", choices: ["full", "names"], help: "print full tool output, or only tool names" },
      thinking: { help: "include thinking" },
      last: { value: "n", help: "only the last N prompts and their replies" },
    },
    examples: [
      ["show", "the last conversation in this folder"],
      ["show 4f2a#before-rewrite --tools names", "the path to a label, without tool output"],
      ["show 4f2a#4 --last 1", "how branch 4 ended"],
      ["show --context", "what the model sees"],
      ["show codex:4f2a --last 1", "how another agent's session ended"],
    ],
    json: 'the same as --format json: { "session": { id, path, name, leafId, agent? }, "entryId", "entries": [...] } with entries as in the file; with --context { ..., "messages": [...] }.',
    args: { least: 0, most: 1 },
    completes: "sessions",
    load: () => import("../browse/show.js"),
  },
  {
    name: "search",
    usage: "<words...>",
    summary: "Search sessions",
    details:
      'Matches entries that contain all words, in any order. Quote "a phrase" to match it exactly; re:pattern is a regular expression. Abandoned branches and compacted entries are searched too, and their hits are marked. Pass the address of a hit to show, tree or bough --session (for other agents: show and tree only). Exits with 1 if nothing is found.',
    flags: {
      all: { short: "a", help: "search every folder's sessions" },
      "all-agents": { help: "search every folder's sessions, including other agents'" },
      agent: {
        value: "agent",
        repeatable: true,
        choices: AGENTS,
        help: "search only this agent's sessions, in every folder; repeatable",
      },
      in: {
        value: "session",
        repeatable: true,
        help: "search only this session, which can be another agent's; repeatable",
      },
      role: {
        value: "role",
        repeatable: true,
        help: "only this role: user, assistant, toolResult, compaction, ...; repeatable",
      },
      case: { help: "match case" },
      store: { takesValue: true, help: "search what is in your store; --store=name for another one" },
      limit: { short: "n", value: "n", help: "stop after N hits (default 100 in a terminal)" },
    },
    examples: [
      ["search tokenizer", "sessions in this folder"],
      ['search --all "merge conflict"', "both words, in any folder"],
      ["search --all-agents tokenizer", "include Claude Code, Codex, opencode, Gemini CLI and pi"],
      ["search -n 1 --role user 're:time(d )?out'", "the first prompt that matches"],
      ["search --store migration", "this project's sessions on every machine"],
    ],
    json: 'one line per hit, as found: { "type": "hit", address, agent?, sessionId, sessionName, path, entryId, entryType, role, timestamp, excerpt, matches, state }, then { "type": "end", hits, filesDone, filesTotal, bytesDone, bytesTotal, problems }. state is active, abandoned or compacted; agent is set for sessions from other agents. With --store: { "type": "hit", store, sessionId, title, entryId, role, timestamp, excerpt, state, here }, then { "type": "end", hits }.',
    args: { least: 1, most: Number.POSITIVE_INFINITY },
    completes: "none",
    load: () => import("../browse/search.js"),
  },
  {
    name: "compare",
    usage: "<a> [b]",
    summary: "Compare two branches of a session",
    details:
      "Shows where they split, what each did, and how each ended. Name a branch as session#4 or session#entry, or as #4 or #entry for the last session in this folder. If b is omitted, compares with the current position. Lists how files differ between the two, if the session recorded them. Quote arguments that start with #.",
    flags: {
      patch: { help: "print the diff of the files, not only names and counts" },
      width: { value: "columns", help: "output width (default: the terminal's, or 80)" },
      ...ASCII,
    },
    examples: [
      ["compare '#1' '#4'", "branches 1 and 4 of the last session here"],
      ["compare 4f2a#lexer", "a labeled entry and the current position"],
    ],
    json: '{ "session": { id, path, name, leafId, agent? }, "sharedId", "a": { tipId, label, branch, steps, totals, files, end }, "b": {...}, "changed": { onlyA, both, onlyB }, "unread", "skipped", "differences": [...] }; differences are the files of bough diff --json, with a patch if --patch is given.',
    args: { least: 1, most: 2 },
    completes: "sessions",
    load: () => import("../browse/compare.js"),
  },
  {
    name: "tried",
    usage: "[words...]",
    summary: "Show what was tried before, and how it ended",
    details:
      "Looks through the sessions of every agent in this folder (Bough, Claude Code, Codex, opencode, Gemini CLI and pi) for attempts that match all words, touched a file or met an error. Each is shown with its branch, its prompt and its outcome: kept, left, undone, failed-check or error. The first run indexes all sessions, which takes a while; the index is in $BOUGH_HOME/cache/history and can be deleted. Secrets are masked. Exits with 1 if nothing is found.",
    flags: {
      file: { value: "path", repeatable: true, help: "attempts that changed or read this file; repeatable" },
      error: { value: "message", help: "attempts that met this error" },
      outcome: {
        value: "outcome",
        repeatable: true,
        choices: ["kept", "left", "undone", "failed-check", "error"],
        help: "only attempts that ended like this; repeatable",
      },
      agent: { value: "agent", choices: AGENTS, help: "only this agent's sessions" },
      all: { short: "a", help: "look through every folder's sessions" },
      limit: { short: "n", value: "n", help: "show at most N (default 10)" },
    },
    examples: [
      ["tried tokenizer", "attempts in this folder about the tokenizer"],
      ["tried --file src/lex.ts --outcome failed-check", "changes to a file whose tests failed"],
      ["tried --all --error 'ECONNRESET while reading'", "the same error, anywhere"],
    ],
    json: '{ "attempts": [{ address, agent, sessionId, title, cwd, branch: { number, name }, outcome, place: "active" | "left" | "compacted", leftBy?, merged?, time, prompt, answer, changed, check?: { command, failed, exitCode?, said }, errors, labels, summary? }], "loose", "more" }; loose: no attempt matches all words, and these match most.',
    args: { least: 0, most: Number.POSITIVE_INFINITY },
    completes: "none",
    load: () => import("../browse/tried.js"),
  },
  {
    name: "stats",
    usage: "[session]",
    summary: "Show token usage and cost of a session",
    details:
      "Shows totals for the current path and the whole session, then by branch, model and day (UTC), with small charts. Includes abandoned branches and summaries. Unknown prices are reported as unknown, not as zero.",
    flags: {
      limit: { short: "n", value: "n", help: "rows per table (default 12)" },
      ...ASCII,
    },
    examples: [
      ["stats", "the last session in this folder"],
      ["stats 4f2a --json", "for a script"],
    ],
    json: '{ "session": { id, path, name, leafId, agent? }, "path": totals, "whole": totals, "branches": [{ branch, name, entries, usage }], "models": [{ model, calls, usage }], "days": [{ day, calls, usage }] }; usage is { input, output, cacheRead, cacheWrite, tokens, dollars, unpriced }.',
    args: { least: 0, most: 1 },
    completes: "sessions",
    load: () => import("../browse/stats.js"),
  },
];
