/** Subcommands that find sessions and show what is in them. They write nothing. */
import type { Subcommand } from "../subcommand.js";

const AGENTS = ["bough", "claude-code", "codex", "opencode", "gemini", "pi"] as const;
const ASCII = { ascii: { help: "draw with plain ASCII characters" } } as const;

export const LOOK_COMMANDS: readonly Subcommand[] = [
  {
    name: "ls",
    usage: "",
    summary: "List the sessions of this folder",
    details:
      "Newest first: name or first prompt, age, turns, branches, size and cost. Turns are prompts of the user, on all branches. Large files are counted once and remembered; what is too much to count at once shows ?, and the next ls or --exact counts it. Unknown prices are shown as ?. With --all-agents sessions of Claude Code, Codex, opencode, Gemini CLI and pi are in the same list; one that was imported is listed once, as Bough's. In a pipe the columns are separated by tabs.",
    flags: {
      all: { short: "a", help: "of every folder" },
      "all-agents": { help: "of every folder, with those of other agents" },
      agent: {
        value: "agent",
        repeatable: true,
        choices: AGENTS,
        help: "only of this agent; can be given several times",
      },
      archived: { help: "those in the archive, of every folder" },
      exact: { help: "count every listed session, however long it takes" },
      sort: { value: "order", choices: ["recent", "name", "size"], help: "default recent" },
      limit: { short: "n", value: "count", help: "show at most this many; default 100 in a terminal" },
    },
    examples: [
      ["ls", "what was done here"],
      ["ls --all --sort size -n 10", "the ten largest of all"],
      ["ls --all-agents", "with what other agents did"],
      ["ls --agent codex --agent gemini --exact", "of these two, all counted"],
      ["ls --all --json", "for a script"],
    ],
    json: '{ "sessions": [{ id, agent, path, name, firstMessage, cwd, created, modified, bytes, turns, messages, branches, cost, exact, parentSession, importedFrom, archivedAt? }] }; cost is { dollars, unpriced }; agent is bough for own sessions; importedFrom is { agent, id, path }. turns, messages, branches and cost are null until they were counted, bytes where sessions share a database.',
    args: { least: 0, most: 0 },
    completes: "none",
    load: () => import("../run/ls.js"),
  },
  {
    name: "tree",
    usage: "[session]",
    summary: "Draw the tree of a session",
    details:
      "The same rows as the tree in the terminal: the current path as a trunk, other branches folded. With session#entry the row of that entry is shown and marked. The session used last in this folder is the default. A session of Claude Code, Codex, opencode, Gemini CLI or pi can be given too: its path, its id or agent:id; it is only read.",
    flags: {
      filter: {
        value: "filter",
        choices: ["default", "no-tools", "user-only", "labeled-only", "all"],
        help: "which entries have a row; default user-only",
      },
      "all-branches": { help: "open every branch" },
      whole: { help: "show long paths in full" },
      width: { value: "columns", help: "default the width of the terminal, or 80" },
      ...ASCII,
    },
    examples: [
      ["tree", "where you are"],
      ["tree 4f2a --filter default", "with answers and tools"],
      ["tree 'parser session' --all-branches", "everything open"],
      ["tree claude-code:4f2a", "a session of another agent, where it is"],
    ],
    json: '{ "session": { id, path, name, leafId, agent? }, "rows": [{ kind, entryId, depth, branch, sign, text, turns?, entries?, tools, files, labels, trouble, active, time, leftOut? }] }',
    args: { least: 0, most: 1 },
    completes: "sessions",
    load: () => import("../run/tree.js"),
  },
  {
    name: "show",
    usage: "[session[#entry]]",
    summary: "Print what was said on a path",
    details:
      "Prints from the first entry to the leaf, or to the entry after #: its id, the start of it, a label, @ for the leaf, or #4 for the end of branch 4. Includes what was compacted; --context prints what the model sees instead. Sessions of other agents can be named as for tree.",
    flags: {
      format: { short: "f", value: "format", choices: ["markdown", "plain", "json"], help: "default markdown" },
      context: { help: "what the model would be shown there: after compactions, with summaries and edits" },
      tools: { value: "how", choices: ["full", "names"], help: "what tools printed, or only which were used" },
      thinking: { help: "with what the model thought" },
      last: { value: "turns", help: "only this many of the last prompts, with their replies" },
    },
    examples: [
      ["show", "the conversation of this folder, so far"],
      ["show 4f2a#before-rewrite --tools names", "the path to a label, without outputs"],
      ["show 4f2a#4 --last 1", "how branch 4 ended"],
      ["show --context", "what the model sees"],
      ["show codex:4f2a --last 1", "how a session of another agent ended"],
    ],
    json: 'the same as --format json: { "session": { id, path, name, leafId, agent? }, "entryId", "entries": [...] } with entries as in the file; with --context { ..., "messages": [...] }.',
    args: { least: 0, most: 1 },
    completes: "sessions",
    load: () => import("../run/show.js"),
  },
  {
    name: "search",
    usage: "<words...>",
    summary: "Find words in sessions",
    details:
      'All words have to occur in one entry, in any order; "a phrase" in quotes as a whole; re:pattern is a regular expression. Includes abandoned branches and compacted entries, and marks such hits. The address of a hit can be given to show, tree and bough --session; those of other agents to show and tree. Nothing found ends with exit code 1.',
    flags: {
      all: { short: "a", help: "in sessions of every folder" },
      "all-agents": { help: "in those and in the sessions of other agents" },
      agent: {
        value: "agent",
        repeatable: true,
        choices: AGENTS,
        help: "only in sessions of this agent, of every folder; can be given several times",
      },
      in: {
        value: "session",
        repeatable: true,
        help: "in this session, also another agent's; can be given several times",
      },
      role: { value: "role", repeatable: true, help: "only user, assistant, toolResult, compaction, ..." },
      case: { help: "match case" },
      limit: { short: "n", value: "count", help: "stop after this many hits; default 100 in a terminal" },
    },
    examples: [
      ["search tokenizer", "in sessions of this folder"],
      ['search --all "merge conflict"', "both words, anywhere"],
      ["search --all-agents tokenizer", "also in Claude Code, Codex, opencode, Gemini CLI and pi"],
      ["search -n 1 --role user 're:time(d )?out'", "the first prompt that matches"],
    ],
    json: 'a line for each hit as it is found: { "type": "hit", address, agent?, sessionId, sessionName, path, entryId, entryType, role, timestamp, excerpt, matches, state }, then { "type": "end", hits, filesDone, filesTotal, bytesDone, bytesTotal, problems }. state is active, abandoned or compacted; agent is set for sessions of other agents.',
    args: { least: 1, most: Number.POSITIVE_INFINITY },
    completes: "none",
    load: () => import("../run/search.js"),
  },
  {
    name: "compare",
    usage: "<a> [b]",
    summary: "Compare two branches of a session",
    details:
      "Shows where they split, what each did, and how each ended. Name a branch as session#4 or session#entry, or as #4 or #entry in the last session of this folder. Without b, compares with the current position. Quote arguments that start with #.",
    flags: { width: { value: "columns", help: "default the width of the terminal, or 80" }, ...ASCII },
    examples: [
      ["compare '#1' '#4'", "branches 1 and 4 of this folder's session"],
      ["compare 4f2a#lexer", "a label with the current position"],
    ],
    json: '{ "session": { id, path, name, leafId, agent? }, "sharedId", "a": { tipId, label, branch, steps, totals, files, end }, "b": {...}, "changed": { onlyA, both, onlyB } }',
    args: { least: 1, most: 2 },
    completes: "sessions",
    load: () => import("../run/compare.js"),
  },
  {
    name: "stats",
    usage: "[session]",
    summary: "Count tokens and cost of a session",
    details:
      "For the path to the leaf and the whole session, then by branch, by model and by day (UTC), with small charts. What was spent on abandoned branches and summaries counts too. Unknown prices are reported as unknown, not as zero.",
    flags: {
      limit: { short: "n", value: "count", help: "rows in each table; default 12" },
      ...ASCII,
    },
    examples: [
      ["stats", "of the session used last here"],
      ["stats 4f2a --json", "for a script"],
    ],
    json: '{ "session": { id, path, name, leafId, agent? }, "path": totals, "whole": totals, "branches": [{ branch, name, entries, usage }], "models": [{ model, calls, usage }], "days": [{ day, calls, usage }] }; usage is { input, output, cacheRead, cacheWrite, tokens, dollars, unpriced }.',
    args: { least: 0, most: 1 },
    completes: "sessions",
    load: () => import("../run/stats.js"),
  },
];
