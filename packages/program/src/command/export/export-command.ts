/** /export: this session as a page, as Markdown or as JSONL. */

import { existsSync } from "node:fs";
import { resolve } from "node:path";
import {
  defaultExportScope,
  type ExportFormat,
  type ExportScope,
  exportFormatOf,
} from "@bough/workbench/export/index.js";
import { readArguments, wrongArguments } from "../arguments.js";
import { empty } from "../availability.js";
import type { Command } from "../command.js";
import { fileCompletions } from "../completions.js";
import { shown } from "../outcome.js";
import { sharedNotice } from "../sentences.js";

const SCOPES = ["path", "branch", "subtree", "all"] as const;
const FORMATS = ["html", "markdown", "jsonl"] as const satisfies readonly ExportFormat[];
/** Each scope is also its own option. */
const SHORT: Readonly<Record<string, ExportScope>> = { "--path": "path", "--branch": "branch", "--all": "all" };

export const EXPORT_COMMAND: Command = {
  name: "export",
  group: "session",
  usage:
    "[file.html|file.md|file.jsonl] [--format html|markdown|jsonl] [--scope path|branch|all] [--all] [--force] [--no-redact]",
  summary: "Export this session as HTML, Markdown or JSONL",
  details:
    "With a file name that does not exist yet, writes it at once; otherwise asks what to write where. The format comes from the file name (default HTML), or from --format. HTML includes every branch, Markdown and JSONL the current path; change that with --scope path, branch or all. --all is short for --scope all. Values that look like secrets are masked and counted; --no-redact keeps them. An existing file is overwritten only with --force. Only you can read the file.",
  complete: fileCompletions,
  unavailable: empty,
  async run(context, args) {
    const options = [...Object.keys(SHORT), "--force", "--replace", "--no-redact"];
    const read = readArguments(args, {
      most: 1,
      options,
      choices: { "--scope": SCOPES, "--format": FORMATS },
    });
    const scopes = Object.keys(SHORT).flatMap((option) => (read.options.has(option) ? [SHORT[option]] : []));
    const scope = read.chosen.get("--scope") as (typeof SCOPES)[number] | undefined;
    // The shell calls it subtree too.
    const chosen = [scope === "subtree" ? "branch" : scope, ...scopes].filter((scope) => scope !== undefined);
    if (chosen.length > 1) throw wrongArguments("Choose path, branch or all");
    const [name] = read.words;
    const { agent, cwd, front } = context;
    const asked = read.chosen.get("--format") as ExportFormat | undefined;
    // A complete name leaves nothing to choose, unless it would overwrite a file.
    const isComplete = name !== undefined && exportFormatOf(name) !== undefined && !existsSync(resolve(cwd, name));
    const isPlain = read.options.size === 0 && chosen.length === 0 && asked === undefined;
    if (isPlain && !isComplete && front.screens.has("export")) return shown(front, { screen: "export", file: name });
    const format = asked ?? (name === undefined ? "html" : exportFormatOf(name));
    if (format === undefined) throw wrongArguments("The file name must end in .html, .md or .jsonl");
    const shared = await agent.exportSession({
      format,
      scope: chosen[0] ?? defaultExportScope(format),
      ...(name === undefined ? { folder: cwd } : { file: resolve(cwd, name) }),
      existing: read.options.has("--force") || read.options.has("--replace") ? "replace" : "refuse",
      secrets: read.options.has("--no-redact") ? "keep" : "mask",
    });
    return { kind: "done", ...sharedNotice(shared), data: shared };
  },
};
