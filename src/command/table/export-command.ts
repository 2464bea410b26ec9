/** /export: this session as a page, as Markdown or as JSONL. */
import { resolve } from "node:path";
import { type ExportScope, exportFormatOf, suggestedExportName } from "../../export/index.js";
import { readArguments, wrongArguments } from "../arguments.js";
import { empty } from "../availability.js";
import type { Command } from "../command.js";
import { fileCompletions } from "../completions.js";
import { sharedSentence } from "../sentences.js";

const USAGE = "/export [file.html|file.md|file.jsonl] [--path|--branch|--all] [--replace] [--no-redact]";
const SCOPES: Readonly<Record<string, ExportScope>> = { "--path": "path", "--branch": "branch", "--all": "all" };

export const EXPORT_COMMAND: Command = {
  name: "export",
  group: "session",
  usage: "[file.html|file.md|file.jsonl] [--path|--branch|--all] [--replace] [--no-redact]",
  summary: "Write this session to a file, as a page, Markdown or JSONL",
  details:
    "The file's ending says the format. Writes the path you are on, or with --branch this branch alone, or with --all everything. Values that look like secrets are masked, and counted in the answer; --no-redact leaves them as they are. A file that is there is replaced only with --replace. The file is readable by you alone.",
  complete: fileCompletions,
  unavailable: empty,
  async run(world, args) {
    const options = [...Object.keys(SCOPES), "--replace", "--no-redact"];
    const read = readArguments(args, { usage: USAGE, most: 1, options });
    const scopes = Object.keys(SCOPES).filter((option) => read.options.has(option));
    if (scopes.length > 1) throw wrongArguments("Choose one of path, branch and all", USAGE);
    const [name] = read.words;
    const { agent, cwd, front } = world;
    if (read.options.size === 0 && front.screens.has("export")) {
      await front.open({ screen: "export", ...(name === undefined ? {} : { file: name }) });
      return { kind: "shown" };
    }
    const format = name === undefined ? "markdown" : exportFormatOf(name);
    if (format === undefined) throw wrongArguments("The name has to end in .html, .md or .jsonl", USAGE);
    const shared = await agent.exportSession({
      format,
      scope: SCOPES[scopes[0] ?? "--path"] as ExportScope,
      file: resolve(cwd, name ?? suggestedExportName(agent.session, "markdown")),
      existing: read.options.has("--replace") ? "replace" : "refuse",
      secrets: read.options.has("--no-redact") ? "keep" : "mask",
    });
    return { kind: "done", message: sharedSentence(shared), data: shared };
  },
};
