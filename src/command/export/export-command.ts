/** /export: this session as a page, as Markdown or as JSONL. */
import { resolve } from "node:path";
import { defaultExportScope, type ExportScope, exportFormatOf, suggestedExportName } from "../../export/index.js";
import { readArguments, wrongArguments } from "../arguments.js";
import { empty } from "../availability.js";
import type { Command } from "../command.js";
import { fileCompletions } from "../completions.js";
import { sharedSentence } from "../sentences.js";

const ARGUMENTS = "[file.html|file.md|file.jsonl] [--scope path|branch|all] [--all] [--replace] [--no-redact]";
const USAGE = `/export ${ARGUMENTS}`;
const SCOPES = ["path", "branch", "all"] as const satisfies readonly ExportScope[];
/** Each scope is also an option of its own. */
const SHORT: Readonly<Record<string, ExportScope>> = { "--path": "path", "--branch": "branch", "--all": "all" };

export const EXPORT_COMMAND: Command = {
  name: "export",
  group: "session",
  usage: ARGUMENTS,
  summary: "Write this session to a file, as a page, Markdown or JSONL",
  details:
    "The file extension selects the format. A page has every branch, Markdown and JSONL the path you are on; --scope path, branch or all says otherwise, and --all is short for --scope all. Values that look like secrets are masked, and counted in the answer; --no-redact leaves them as they are. An existing file is replaced only with --replace. The file is readable by you alone.",
  complete: fileCompletions,
  unavailable: empty,
  async run(world, args) {
    const options = [...Object.keys(SHORT), "--replace", "--no-redact"];
    const read = readArguments(args, { usage: USAGE, most: 1, options, choices: { "--scope": SCOPES } });
    const scopes = Object.keys(SHORT).flatMap((option) => (read.options.has(option) ? [SHORT[option]] : []));
    const chosen = [read.chosen.get("--scope") as ExportScope | undefined, ...scopes].filter(
      (scope) => scope !== undefined,
    );
    if (chosen.length > 1) throw wrongArguments("Choose one of path, branch and all", USAGE);
    const [name] = read.words;
    const { agent, cwd, front } = world;
    if (read.options.size === 0 && chosen.length === 0 && front.screens.has("export")) {
      await front.open({ screen: "export", ...(name === undefined ? {} : { file: name }) });
      return { kind: "shown" };
    }
    const format = name === undefined ? "markdown" : exportFormatOf(name);
    if (format === undefined) throw wrongArguments("The name has to end in .html, .md or .jsonl", USAGE);
    const shared = await agent.exportSession({
      format,
      scope: chosen[0] ?? defaultExportScope(format),
      file: resolve(cwd, name ?? suggestedExportName(agent.session, "markdown")),
      existing: read.options.has("--replace") ? "replace" : "refuse",
      secrets: read.options.has("--no-redact") ? "keep" : "mask",
    });
    return { kind: "done", message: sharedSentence(shared), data: shared };
  },
};
