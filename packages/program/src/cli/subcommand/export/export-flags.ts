/** The flags and the JSON that `bough export` and `bough export-branch` share. */
import type { SubcommandFlag } from "../subcommand-flag.js";

export const EXPORT_FLAGS: Readonly<Record<string, SubcommandFlag>> = {
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

export const EXPORT_JSON =
  '{ "session": { id, path, name, leafId }, "file": path or null, "format", "scope", "entries", "bytes", "findings": [{ number, rule, title, entryId, place, line, excerpt, count, kept }], "masked", "shortened", "leftOut": { images, toolOutputs, systemPrompts, unreadable } }; printed on standard error if the export itself goes to standard output.';
