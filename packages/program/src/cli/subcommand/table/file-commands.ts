/** Subcommands for files that follow the tree. */
import type { Subcommand } from "../subcommand.js";

const FILE_STATE = "{ hash, mode, size } or { link } or null";

export const FILE_COMMANDS: readonly Subcommand[] = [
  {
    name: "diff",
    usage: "[session[#entry]] [#entry] [path...]",
    summary: "Show how files differ between two entries, or from an entry to the disk",
    details:
      "Compares the files at an entry (default: the current position) with a second entry of the same session, or with what is on disk now. The second argument is an entry if it contains a #; everything after it is a path. In a pipe the output is a patch that git apply accepts. Only files that the session recorded are compared. Quote arguments that start with #.",
    flags: { stat: { help: "list file names and line counts instead of a patch" } },
    examples: [
      ["diff", "what changed on disk since the current position of the last session here"],
      ["diff '#before-rewrite' --stat", "names and counts, from a label to the disk"],
      ["diff 4f2a#1 '#4' src", "branches 1 and 4, only below src"],
      ["diff 4f2a#c0ffee > undo.patch", "a patch"],
    ],
    json: `{ "session": { id, path, name, leafId, agent? }, "root", "from": entry or null, "to": entry or "disk", "skipped": [{ path, why, size? }], "unread": [entry], "files": [{ path, change: "added" | "deleted" | "changed" | "renamed" | "mode", from?, before, after, added?, removed?, noDiff?, patch }] }; before and after are ${FILE_STATE}. Without patch if --stat is given.`,
    args: { least: 0, most: Number.POSITIVE_INFINITY },
    completes: "sessions",
    load: () => import("../files/diff.js"),
  },
  {
    name: "restore-files",
    usage: "<session#entry> [path...]",
    summary: "Restore files to what they were at an entry",
    details:
      "Writes and deletes the files that changed between the current position and the entry; the conversation does not move. With paths, only these files and folders. Prints the plan first. If a file was changed outside of the session, nothing is restored unless --conflicts says what to do. Everything that is overwritten is stored first, and the restore is recorded in the session, so it can be undone the same way. Files that decide what runs, such as .bough, .vscode, .mcp.json or git hooks, are listed and left alone without --protected; files of git always are. Exits with 1 if some files could not be restored.",
    flags: {
      "dry-run": { help: "show the plan, without changing anything" },
      conflicts: {
        value: "how",
        choices: ["keep", "take"],
        help: "files changed outside of the session: keep them, or take the ones of the entry",
      },
      protected: { help: "also restore files that decide what runs, such as .vscode or .mcp.json" },
    },
    examples: [
      ["restore-files '#before-rewrite' --dry-run", "show what would change"],
      ["restore-files 4f2a#c0ffee src/lexer.ts", "one file as it was after a step"],
      ["restore-files '#@' . --conflicts take", "undo everything since the last recorded step"],
    ],
    json: `{ "session": { id, path, name, leafId }, "entryId", "root", "plan": { files: [{ path, present, wanted, byPerson }], conflicts: [{ path, why, present, expected, wanted, byPerson }], missing: [{ path, hash }], protected: [{ path, why: "runs" | "git", conflict?, present, expected, wanted, byPerson }], bytes }, "dryRun", "outcome"?: { kind: "done" | "unchanged", written, deleted, kept, missing, protected? }, "recordId"?: entry or null }; present, expected and wanted are ${FILE_STATE}. Paths that another machine recorded have its name in "from".`,
    args: { least: 1, most: Number.POSITIVE_INFINITY },
    completes: "sessions",
    load: () => import("../files/restore-files.js"),
  },
  {
    name: "blame",
    usage: "<file[:line]>",
    summary: "Show which entry, branch and prompt wrote each line of a file",
    details:
      "Follows the recorded states of the file backwards through every session that worked in this folder, archived ones included, also across renames. For each line: the session and entry, its age, its branch and its prompt; ? marks lines that may be older, because an earlier version is missing. With a line number, prints details of that line. Lines that no session recorded are marked as written outside of, or before, any session.",
    flags: {},
    examples: [
      ["blame src/lexer.ts", "every line"],
      ["blame src/lexer.ts:42", "one line, with its session, branch and prompt"],
      ["blame src/lexer.ts:42 --json", "for a script or an editor"],
    ],
    json: '{ "root", "path", "unread": [{ file, reason }], "lines": [{ line, text, kind: "step" | "unknown" | "outside" | "older", step: { session: { id, path, name }, entryId, recordId, branch: { number, name }, prompt: { entryId, text } or null, by, tool, time } or null }] }',
    args: { least: 1, most: 1 },
    completes: "none",
    load: () => import("../files/blame.js"),
  },
  {
    name: "files",
    usage: "[status|gc]",
    summary: "Show or clean up stored file versions",
    details:
      "status shows how much is stored for this folder and which sessions use it. gc removes file versions that no session uses, archived ones included, once they are 14 days old. Nothing is removed if any session cannot be read.",
    flags: {
      all: { short: "a", help: "every folder's store" },
      "forget-missing": { help: "with gc: forget sessions whose folder no longer exists" },
      "dry-run": { help: "with gc: report what would be removed, without removing" },
    },
    examples: [
      ["files", "what is stored for this folder"],
      ["files gc --dry-run", "what could be removed"],
      ["files gc --all", "clean up every store"],
    ],
    json: 'status: { "stores": [{ root: path or null, store, contents, bytes, unused: { contents, bytes }, sessions: [{ file, checkpoints, contents, bytes }], unread: [{ file, reason }], away: [file] }] }. gc: { "dryRun", "stores": [{ root, store, removed, bytes, kept }] }.',
    args: { least: 0, most: 1 },
    completes: ["status", "gc"],
    load: () => import("../files/files.js"),
  },
];
