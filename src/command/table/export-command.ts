/** /export: this session as Markdown or JSONL. */
import { resolve } from "node:path";
import { type ExportScope, exportFormatOf, exportSession, suggestedExportName } from "../../agent/index.js";
import { readArguments, wrongArguments } from "../arguments.js";
import { empty } from "../availability.js";
import type { Command } from "../command.js";
import { fileCompletions } from "../completions.js";
import { unchanged } from "../outcome.js";
import { SENTENCES, wroteSentence } from "../sentences.js";

const USAGE = "/export [file.md|file.jsonl] [--path|--branch|--all] [--replace]";
const SCOPES: Readonly<Record<string, ExportScope>> = { "--path": "path", "--branch": "branch", "--all": "all" };

export const EXPORT_COMMAND: Command = {
  name: "export",
  group: "session",
  usage: "[file.md|file.jsonl] [--path|--branch|--all] [--replace]",
  summary: "Write this session to a file, as Markdown or JSONL",
  details:
    "The file's ending says the format. Writes the path you are on, or with --branch this branch alone, or with --all everything. A file that is there is replaced only with --replace. What was said is written as it is, secrets included; the file is readable by you alone.",
  complete: fileCompletions,
  unavailable: empty,
  async run(world, args) {
    const read = readArguments(args, { usage: USAGE, most: 1, options: [...Object.keys(SCOPES), "--replace"] });
    const scopes = Object.keys(SCOPES).filter((option) => read.options.has(option));
    if (scopes.length > 1) throw wrongArguments("Choose one of path, branch and all", USAGE);
    const [name] = read.words;
    if (name !== undefined && exportFormatOf(name) === "html") return unchanged(SENTENCES.htmlLater, "export-failed");
    const { agent, cwd, now, front } = world;
    if (read.options.size === 0 && front.screens.has("export")) {
      await front.open({ screen: "export", ...(name === undefined ? {} : { file: name }) });
      return { kind: "shown" };
    }
    const format = name === undefined ? "markdown" : exportFormatOf(name);
    if (format === undefined || format === "html") throw wrongArguments("The name has to end in .md or .jsonl", USAGE);
    const written = exportSession(
      { session: agent.session, now },
      {
        format,
        scope: SCOPES[scopes[0] ?? "--path"] as ExportScope,
        file: resolve(cwd, name ?? suggestedExportName(agent.session, format)),
        existing: read.options.has("--replace") ? "replace" : "refuse",
      },
    );
    return { kind: "done", message: wroteSentence(written), data: written };
  },
};
