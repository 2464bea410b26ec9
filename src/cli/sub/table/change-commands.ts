/** Subcommands that make, name and put away sessions. None of them changes what was said. */
import type { Subcommand } from "../subcommand.js";

const YES = { yes: { short: "y", help: "do not ask" } } as const;

export const CHANGE_COMMANDS: readonly Subcommand[] = [
  {
    name: "fork",
    usage: "[session[#entry]]",
    summary: "Copy a session, or a path of it, into a new one",
    details:
      "Without #entry everything is copied, all branches included. With it, the path from the first entry to that one. The original is only read; the copy says where it came from and stands beside it.",
    flags: { name: { value: "name", help: "of the new session" } },
    examples: [
      ["fork", "a copy of the session used last here"],
      ["fork 4f2a#before-rewrite --name 'second try'", "only the path to a label"],
    ],
    json: '{ "session": { id, path, name, leafId }, "from": path, "entries": number, "entryId"? }',
    args: { least: 0, most: 1 },
    completes: "sessions",
    load: () => import("../run/fork.js"),
  },
  {
    name: "label",
    usage: "<session#entry> [label]",
    summary: "Label a point in a session",
    details:
      "A label can be used wherever an entry is named. Without a label, the one that is there is printed; --clear takes it away. A label that another entry has is refused unless --move says so.",
    flags: { clear: { help: "take the label away" }, move: { help: "take it from the entry that has it" } },
    examples: [
      ["label 4f2a#c0ffee before-rewrite", "names an entry"],
      ["label '#@' good", "names where this folder's session stands"],
      ["label 4f2a#before-rewrite --clear", "takes the name away"],
    ],
    json: '{ "session": { id, path, name, leafId }, "entryId", "label": text or null }',
    args: { least: 1, most: 2 },
    completes: "sessions",
    load: () => import("../run/label.js"),
  },
  {
    name: "rename",
    usage: "<session> <name>",
    summary: "Name a session",
    details: "The name can be given wherever a session is asked for. Earlier names stay in the file.",
    flags: {},
    examples: [["rename 4f2a 'parser session'", "names it"]],
    json: '{ "session": { id, path, name, leafId } }',
    args: { least: 2, most: 2 },
    completes: "sessions",
    load: () => import("../run/rename.js"),
  },
  {
    name: "archive",
    usage: "<session...>",
    summary: "Take sessions off the list",
    details:
      "They are moved to the archive with the files beside them; restore brings them back. Nothing is deleted. Asks first; without a terminal, --yes is needed. A session that is open somewhere stays.",
    flags: YES,
    examples: [
      ["archive 4f2a", "asks, then moves it"],
      ["archive 4f2a 77b0 --yes", "two of them, without asking"],
      ["ls --archived", "what is there"],
    ],
    json: '{ "archived": [{ id, from, path, leftBehind }] }',
    args: { least: 1, most: Number.POSITIVE_INFINITY },
    completes: "sessions",
    load: () => import("../run/archive.js"),
  },
  {
    name: "restore",
    usage: "<session...>",
    summary: "Bring sessions back from the archive",
    details:
      "Each goes back to where it was. Where something else has its name by now, it gets a number; nothing is overwritten.",
    flags: {},
    examples: [["restore 4f2a", "puts it back on the list"]],
    json: '{ "restored": [{ id, from, path, leftBehind }] }',
    args: { least: 1, most: Number.POSITIVE_INFINITY },
    completes: "none",
    load: () => import("../run/restore.js"),
  },
];
