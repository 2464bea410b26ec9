/** Subcommands that copy, label and archive sessions. None of them changes messages. */
import type { Subcommand } from "../subcommand.js";

const YES = { yes: { short: "y", help: "do not ask for confirmation" } } as const;

export const CHANGE_COMMANDS: readonly Subcommand[] = [
  {
    name: "fork",
    usage: "<session#entry>",
    summary: "Start a new session from just before a prompt",
    details:
      "Copies the path before the prompt into a new session. The original is not modified; the copy records where it came from. To copy a whole path or session, use bough clone.",
    flags: { name: { value: "name", help: "name of the new session" } },
    examples: [
      ["fork 4f2a#3be1", "everything before a prompt, by ID"],
      ["fork '#before-rewrite' --name 'second try'", "in the last session here, by label"],
    ],
    json: '{ "session": { id, path, name, leafId }, "from": path, "entries": number, "entryId", "prompt": string }',
    args: { least: 0, most: 1 },
    completes: "sessions",
    load: () => import("../copy/fork.js"),
  },
  {
    name: "clone",
    usage: "[session[#entry]]",
    summary: "Copy a path or a whole session into a new session",
    details:
      "Copies the current path, or the path to an entry. --all copies every branch. The original is not modified; the copy records where it came from.",
    flags: {
      all: { short: "a", help: "copy every branch" },
      name: { value: "name", help: "name of the new session" },
    },
    examples: [
      ["clone", "the current path of the last session here"],
      ["clone 4f2a#before-rewrite --name 'second try'", "only the path to a label"],
      ["clone 4f2a --all", "all branches"],
    ],
    json: '{ "session": { id, path, name, leafId }, "from": path, "entries": number, "entryId"? }',
    args: { least: 0, most: 1 },
    completes: "sessions",
    load: () => import("../copy/clone.js"),
  },
  {
    name: "label",
    usage: "<session#entry> [label]",
    summary: "Label a point in a session",
    details:
      "Labels work anywhere an entry ID does. Without a label argument, prints the current one. Fails if another entry has the label, unless --move is given.",
    flags: { remove: { help: "remove the label" }, move: { help: "move the label from the entry that has it" } },
    examples: [
      ["label 4f2a#c0ffee before-rewrite", "label an entry"],
      ["label '#@' good", "label the current position of the last session here"],
      ["label 4f2a#before-rewrite --remove", "remove the label"],
    ],
    json: '{ "session": { id, path, name, leafId }, "entryId", "label": text or null }',
    args: { least: 1, most: 2 },
    completes: "sessions",
    load: () => import("../copy/label.js"),
  },
  {
    name: "rename",
    usage: "<session> <name>",
    summary: "Rename a session",
    details: "Names work anywhere a session ID does. Earlier names stay in the file.",
    flags: {},
    examples: [["rename 4f2a 'parser session'", "set its name"]],
    json: '{ "session": { id, path, name, leafId } }',
    args: { least: 2, most: 2 },
    completes: "sessions",
    load: () => import("../copy/rename.js"),
  },
  {
    name: "archive",
    usage: "<session...>",
    summary: "Archive sessions",
    details:
      "Moves sessions and their companion files to the archive; nothing is deleted, and restore brings them back. Asks first; without a terminal, pass --yes. Sessions that are open elsewhere are skipped.",
    flags: YES,
    examples: [
      ["archive 4f2a", "ask, then archive it"],
      ["archive 4f2a 77b0 --yes", "two sessions, without asking"],
      ["ls --archived", "list archived sessions"],
    ],
    json: '{ "archived": [{ id, from, path, leftBehind }] }',
    args: { least: 1, most: Number.POSITIVE_INFINITY },
    completes: "sessions",
    load: () => import("../copy/archive.js"),
  },
  {
    name: "restore",
    usage: "<session...>",
    summary: "Restore archived sessions",
    details:
      "Each returns to its original folder. If the file name is taken, a number is added; nothing is overwritten.",
    flags: {},
    examples: [["restore 4f2a", "restore one session"]],
    json: '{ "restored": [{ id, from, path, leftBehind }] }',
    args: { least: 1, most: Number.POSITIVE_INFINITY },
    completes: "none",
    load: () => import("../copy/restore.js"),
  },
];
