/** Subcommands that share sessions, mend them, and look after the program. */
import type { Subcommand } from "../subcommand.js";
import type { SubcommandFlag } from "../subcommand-flag.js";

const SHARING: Readonly<Record<string, SubcommandFlag>> = {
  output: { short: "o", value: "file", help: "output file (default: named after the session); - for standard output" },
  force: { help: "overwrite an existing file" },
  keep: { value: "number", repeatable: true, help: "leave this finding as it is; can be given several times" },
  "no-redact": { help: "mask nothing" },
  "keep-home": { help: "leave paths of your home folder as they are instead of ~" },
  "system-prompt": { help: "with system prompts that are in the session" },
  "no-images": { help: "without images" },
  tools: {
    value: "how",
    choices: ["full", "names"],
    help: "what tools printed, or only which were used; default full",
  },
  "dry-run": { help: "scan and report what would be written, without writing" },
};

const SHARED =
  '{ "session": { id, path, name, leafId }, "file": path or null, "format", "scope", "entries", "bytes", "findings": [{ number, rule, title, entryId, place, line, excerpt, count, kept }], "masked", "shortened", "leftOut": { images, toolOutputs, systemPrompts, unreadable } }; printed on standard error where the export itself goes to standard output.';

export const CARE_COMMANDS: readonly Subcommand[] = [
  {
    name: "export",
    usage: "[session[#entry]]",
    summary: "Export a session as HTML, Markdown or JSONL",
    details:
      "Scans everything for secrets first: prompts, outputs, abandoned branches. Findings are listed with their position and masked. Only you can read the file, and its contents are listed before it is written. Sessions of other agents can be exported in place; their original records are not included.",
    flags: {
      format: {
        short: "f",
        value: "format",
        choices: ["html", "markdown", "jsonl"],
        help: "default from the file's name, else html",
      },
      scope: {
        short: "s",
        value: "scope",
        choices: ["path", "branch", "subtree", "all"],
        help: "default all for a page, path for the others: from the start to the entry or the leaf",
      },
      all: { help: "every branch; the same as --scope all" },
      ...SHARING,
    },
    examples: [
      ["export", "a page with the whole tree"],
      ["export 4f2a --scope path -o parser.html", "only the current path"],
      ["export 4f2a#lexer -s subtree -f markdown -o -", "everything below a label, printed here"],
      ["export --dry-run", "what would leave the machine"],
    ],
    json: SHARED,
    args: { least: 0, most: 1 },
    completes: "sessions",
    load: () => import("../run/export.js"),
  },
  {
    name: "export-branch",
    usage: "<session#entry>",
    summary: "Write an entry and everything below it as a session of its own",
    details:
      "The entry becomes the first one of the new session; labels are kept. The file can be opened with bough --session. Secrets are masked as in export.",
    flags: {
      scope: {
        short: "s",
        value: "scope",
        choices: ["subtree", "path"],
        help: "default subtree: the entry and everything below it; path: from the start to the entry",
      },
      ...SHARING,
    },
    examples: [["export-branch 4f2a#lexer -o lexer.jsonl", "the branch from a label on"]],
    json: SHARED,
    args: { least: 1, most: 1 },
    completes: "sessions",
    load: () => import("../run/export-branch.js"),
  },
  {
    name: "verify",
    usage: "[session...]",
    summary: "Read every byte of a session and say what is damaged",
    details:
      "Each finding has its line, what was found and what that means. Nothing is written. Damage ends with exit code 3; what is only odd or worth knowing does not.",
    flags: {
      all: { short: "a", help: "every session of every folder" },
      notes: { help: "also what is worth knowing and not wrong" },
    },
    examples: [
      ["verify", "the session used last here"],
      ["verify --all", "everything there is"],
    ],
    json: '{ "reports": [{ path, version, lines, entries, readable, ok, counts: { damage, odd, note }, findings: [{ level, code, line, offset, bytes, cause, effect, entryId? }] }] }',
    args: { least: 0, most: Number.POSITIVE_INFINITY },
    completes: "sessions",
    load: () => import("../run/verify.js"),
  },
  {
    name: "repair",
    usage: "<session>",
    summary: "Write a new file with everything that can be read",
    details:
      "The original is only read. The new file is read back, and every readable entry must be found in it; otherwise it is removed. Lists what was changed and which bytes were dropped.",
    flags: { output: { short: "o", value: "file", help: "default <name>.repaired.jsonl beside the original" } },
    examples: [["repair 4f2a", "writes the new file and says what it kept"]],
    json: '{ "kind": "clean" | "repaired", path, out?, kept?, changed?, dropped?, fileChanges?, proof?: { readable, found }, remaining?, before: { ok, counts } }',
    args: { least: 1, most: 1 },
    completes: "sessions",
    load: () => import("../run/repair.js"),
  },
  {
    name: "doctor",
    usage: "",
    summary: "Check the program and what it depends on",
    details:
      "Version of Node, folders and who can read them, keys (whether they are there, never what they are), models, helpers like git and rg, settings, sessions that are damaged or very large, and what the terminal can do. Nothing is changed and no network is used.",
    flags: { deep: { help: "read every byte of every session" } },
    examples: [["doctor", "what is in order and what is not"]],
    json: '{ "checks": [{ area, level: "ok" | "note" | "warning" | "error", message, hint? }] }',
    args: { least: 0, most: 0 },
    completes: "none",
    load: () => import("../run/doctor.js"),
  },
  {
    name: "completion",
    usage: "<bash|zsh|fish>",
    summary: "Print a script that completes bough in your shell",
    details: "Completes commands, flags, their values, and sessions by id.",
    flags: {},
    examples: [
      ["completion bash >> ~/.bashrc", "bash"],
      ["completion zsh > ~/.zfunc/_bough", "zsh, with ~/.zfunc in fpath"],
      ["completion fish > ~/.config/fish/completions/bough.fish", "fish"],
    ],
    json: '{ "shell", "script" }',
    args: { least: 1, most: 1 },
    completes: ["bash", "zsh", "fish"],
    load: () => import("../run/completion.js"),
  },
];
