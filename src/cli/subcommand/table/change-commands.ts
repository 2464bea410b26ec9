/** Subcommands that make, name and put away sessions. None of them changes what was said. */
import type { Subcommand } from "../subcommand.js";

const YES = { yes: { short: "y", help: "do not ask" } } as const;

export const CHANGE_COMMANDS: readonly Subcommand[] = [
  {
    name: "fork",
    usage: "<session#entry>",
    summary: "Start a new session from before one of your prompts",
    details:
      "Copies the path before the prompt into a new session. The original is only read; the copy says where it came from. To copy a whole path or session, use bough clone.",
    flags: { name: { value: "name", help: "name of the new session" } },
    examples: [
      ["fork 4f2a#3be1", "everything before a prompt, by its ID"],
      ["fork '#before-rewrite' --name 'second try'", "in the session used last, by a label"],
    ],
    json: '{ "session": { id, path, name, leafId }, "from": path, "entries": number, "entryId", "prompt": string }',
    args: { least: 0, most: 1 },
    completes: "sessions",
    load: () => import("../run/fork.js"),
  },
  {
    name: "clone",
    usage: "[session[#entry]]",
    summary: "Copy a path or a whole session into a new one",
    details:
      "Copies the current path, or the path to an entry. --all copies every branch. The original is only read; the copy says where it came from.",
    flags: {
      all: { short: "a", help: "copy every branch" },
      name: { value: "name", help: "name of the new session" },
    },
    examples: [
      ["clone", "the current path of the session used last here"],
      ["clone 4f2a#before-rewrite --name 'second try'", "only the path to a label"],
      ["clone 4f2a --all", "all branches"],
    ],
    json: '{ "session": { id, path, name, leafId }, "from": path, "entries": number, "entryId"? }',
    args: { least: 0, most: 1 },
    completes: "sessions",
    load: () => import("../run/clone.js"),
  },
  {
    name: "label",
    usage: "<session#entry> [label]",
    summary: "Label a point in a session",
    details:
      "A label can be used wherever an entry is named. Without a label, the one that is there is printed; --remove removes it. A label that another entry has is refused unless --move says so.",
    flags: { remove: { help: "remove the label" }, move: { help: "move the label from the entry that has it" } },
    examples: [
      ["label 4f2a#c0ffee before-rewrite", "names an entry"],
      ["label '#@' good", "labels the current position of the last session here"],
      ["label 4f2a#before-rewrite --remove", "removes the label"],
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
    summary: "Archive sessions",
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
    details: "Each returns to its original folder. If its name is taken, it gets a number; nothing is overwritten.",
    flags: {},
    examples: [["restore 4f2a", "puts it back on the list"]],
    json: '{ "restored": [{ id, from, path, leftBehind }] }',
    args: { least: 1, most: Number.POSITIVE_INFINITY },
    completes: "none",
    load: () => import("../run/restore.js"),
  },
];
