/** Subcommands that export, repair and diagnose. */
import type { Subcommand } from "../subcommand.js";
import type { SubcommandFlag } from "../subcommand-flag.js";

const SHARING: Readonly<Record<string, SubcommandFlag>> = {
  output: { short: "o", value: "file", help: "output file (default: named after the session); - for standard output" },
  force: { help: "overwrite an existing file" },
  keep: { value: "number", repeatable: true, help: "do not mask this finding; repeatable" },
  "no-redact": { help: "mask nothing" },
  "keep-home": { help: "keep home folder paths instead of writing ~" },
  "system-prompt": { help: "include system prompts" },
  "no-images": { help: "leave out images" },
  tools: {
    value: "how",
    choices: ["full", "names"],
    help: "full tool output, or only tool names (default full)",
  },
  "dry-run": { help: "scan and report what would be written, without writing" },
};

const SHARED =
  '{ "session": { id, path, name, leafId }, "file": path or null, "format", "scope", "entries", "bytes", "findings": [{ number, rule, title, entryId, place, line, excerpt, count, kept }], "masked", "shortened", "leftOut": { images, toolOutputs, systemPrompts, unreadable } }; printed on standard error if the export itself goes to standard output.';

export const CARE_COMMANDS: readonly Subcommand[] = [
  {
    name: "export",
    usage: "[session[#entry]]",
    summary: "Export a session as HTML, Markdown or JSONL",
    details:
      "Scans everything for secrets first, including tool output and abandoned branches. Findings are listed and masked. Lists what the file will contain before writing it; only you can read the file. Other agents' sessions can be exported in place, without their original records.",
    flags: {
      format: {
        short: "f",
        value: "format",
        choices: ["html", "markdown", "jsonl"],
        help: "output format (default: from the file name, else html)",
      },
      scope: {
        short: "s",
        value: "scope",
        choices: ["path", "branch", "subtree", "all"],
        help: "entries to include (default: all for html, else path)",
      },
      all: { help: "include every branch; same as --scope all" },
      ...SHARING,
    },
    examples: [
      ["export", "a page with the whole tree"],
      ["export 4f2a --scope path -o parser.html", "only the current path"],
      ["export 4f2a#lexer -s subtree -f markdown -o -", "everything below a label, to standard output"],
      ["export --dry-run", "list what would be exported"],
    ],
    json: SHARED,
    args: { least: 0, most: 1 },
    completes: "sessions",
    load: () => import("../export/export.js"),
  },
  {
    name: "export-branch",
    usage: "<session#entry>",
    summary: "Export an entry and everything below it as a new session",
    details:
      "The entry becomes the first entry of the new session; labels are kept. Open the file with bough --session. Secrets are masked, as in export.",
    flags: {
      scope: {
        short: "s",
        value: "scope",
        choices: ["subtree", "path"],
        help: "the entry and everything below it, or the path up to it (default subtree)",
      },
      ...SHARING,
    },
    examples: [["export-branch 4f2a#lexer -o lexer.jsonl", "the branch that starts at a label"]],
    json: SHARED,
    args: { least: 1, most: 1 },
    completes: "sessions",
    load: () => import("../export/export-branch.js"),
  },
  {
    name: "verify",
    usage: "[session...]",
    summary: "Check session files for damage",
    details:
      "Reads every byte and lists each finding with its line, its cause and its effect. Nothing is written. Exits with 3 if there is damage; warnings and notes do not change the exit code.",
    flags: {
      all: { short: "a", help: "check every session in every folder" },
      notes: { help: "include notes, which are not problems" },
    },
    examples: [
      ["verify", "the last session in this folder"],
      ["verify --all", "every session"],
    ],
    json: '{ "reports": [{ path, version, lines, entries, readable, ok, counts: { damage, odd, note }, findings: [{ level, code, line, offset, bytes, cause, effect, entryId? }] }] }',
    args: { least: 0, most: Number.POSITIVE_INFINITY },
    completes: "sessions",
    load: () => import("../repair/verify.js"),
  },
  {
    name: "repair",
    usage: "<session>",
    summary: "Recover what is readable from a damaged session",
    details:
      "Writes a new file; the original is not modified. The new file is read back and deleted if any readable entry is missing. Lists what was changed and which bytes were dropped.",
    flags: {
      output: { short: "o", value: "file", help: "output file (default <name>.repaired.jsonl, next to the original)" },
    },
    examples: [["repair 4f2a", "write the new file and list what was kept"]],
    json: '{ "kind": "clean" | "repaired", path, out?, kept?, changed?, dropped?, fileChanges?, proof?: { readable, found }, remaining?, before: { ok, counts } }',
    args: { least: 1, most: 1 },
    completes: "sessions",
    load: () => import("../repair/repair.js"),
  },
  {
    name: "doctor",
    usage: "",
    summary: "Check your installation",
    details:
      "Checks the Node version, folders and their permissions, which keys are set (never their values), models, helpers like git and rg, settings, damaged or very large sessions, and terminal features. Changes nothing, and uses no network unless --online is given: then it asks each provider you have a key for, and the default model, whether they work, and explains failures.",
    flags: {
      deep: { help: "read every byte of every session" },
      online: { help: "ask providers whether keys and the model work" },
      model: { value: "provider/model", help: "with --online, check this model" },
    },
    examples: [
      ["doctor", "run all checks"],
      ["doctor --online", "also check keys and the model"],
      ["doctor --online --model ollama/qwen3:8b", "check another model"],
    ],
    json: '{ "checks": [{ area, level: "ok" | "note" | "warning" | "error", message, hint? }] }',
    args: { least: 0, most: 0 },
    completes: "none",
    load: () => import("../doctor/doctor.js"),
  },
  {
    name: "completion",
    usage: "<bash|zsh|fish>",
    summary: "Print a shell completion script",
    details: "Completes commands, flags, flag values and session IDs.",
    flags: {},
    examples: [
      ["completion bash >> ~/.bashrc", "bash"],
      ["completion zsh > ~/.zfunc/_bough", "zsh, with ~/.zfunc in fpath"],
      ["completion fish > ~/.config/fish/completions/bough.fish", "fish"],
    ],
    json: '{ "shell", "script" }',
    args: { least: 1, most: 1 },
    completes: ["bash", "zsh", "fish"],
    load: () => import("../completion/completion.js"),
  },
];
