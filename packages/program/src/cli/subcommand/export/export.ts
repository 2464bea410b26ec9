/** `bough export`: a session as a page, as Markdown or as a session file. */

import type { SubcommandCall, SubcommandRow } from "../subcommand.js";
import { EXPORT_FLAGS, EXPORT_JSON } from "./export-flags.js";
import { exportSession } from "./export-session.js";

export const row: SubcommandRow = {
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
    ...EXPORT_FLAGS,
  },
  examples: [
    ["export", "a page with the whole tree"],
    ["export 4f2a --scope path -o parser.html", "only the current path"],
    ["export 4f2a#lexer -s subtree -f markdown -o -", "everything below a label, to standard output"],
    ["export --dry-run", "list what would be exported"],
  ],
  json: EXPORT_JSON,
  args: { least: 0, most: 1 },
  completes: "sessions",
};

export function run(call: SubcommandCall): Promise<number> {
  return exportSession(call);
}
