/** /export-branch: a part of this session as a session file. */
import { resolve } from "node:path";
import { suggestedExportName } from "@bough/workbench/export/index.js";
import { readArguments } from "../arguments.js";
import { empty } from "../availability.js";
import type { Command } from "../command.js";
import { fileCompletions, placeCompletions } from "../completions.js";
import { resolveReference } from "../reference.js";
import { sharedNotice } from "../sentences.js";

export const EXPORT_BRANCH_COMMAND: Command = {
  name: "export-branch",
  group: "session",
  usage: "<id|label|#n> [file.jsonl] [--scope subtree|path] [--no-redact]",
  summary: "Export part of this session as a new session file",
  details:
    "Writes the entry and everything below it; with --scope path, writes the path up to the entry instead. Values that look like secrets are masked and counted; --no-redact keeps them. The file must not exist yet.",
  complete: (context, typed) =>
    /\S\s+\S*$/.test(typed) ? fileCompletions(context, typed) : placeCompletions(context, typed),
  unavailable: empty,
  async run(context, args) {
    const { words, options, chosen } = readArguments(args, {
      least: 1,
      most: 2,
      options: ["--path", "--no-redact"],
      choices: { "--scope": ["subtree", "path"] },
    });
    const { agent, cwd } = context;
    const entryId = resolveReference(context, words[0] as string);
    const name =
      words[1] ?? suggestedExportName(agent.session, "jsonl").replace(/\.jsonl$/, `-${safeName(entryId)}.jsonl`);
    const scope = options.has("--path") || chosen.get("--scope") === "path" ? "path" : "subtree";
    const secrets = options.has("--no-redact") ? "keep" : "mask";
    const shared = await agent.exportBranch(entryId, { file: resolve(cwd, name), scope, secrets });
    return { kind: "done", ...sharedNotice(shared), data: shared };
  },
};

/** Ids from other programs can contain anything. */
function safeName(id: string): string {
  return id.replace(/[^A-Za-z0-9_-]/g, "").slice(0, 12);
}
