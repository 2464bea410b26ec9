/** `bough export-branch`: an entry and everything below it, as its own session. */
import { usageError } from "../../cli-error.js";
import { sessionArgument } from "../session-argument.js";
import type { SubcommandCall, SubcommandRow } from "../subcommand.js";
import { EXPORT_FLAGS, EXPORT_JSON } from "./export-flags.js";
import { exportSession } from "./export-session.js";

export const row: SubcommandRow = {
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
    ...EXPORT_FLAGS,
  },
  examples: [["export-branch 4f2a#lexer -o lexer.jsonl", "the branch that starts at a label"]],
  json: EXPORT_JSON,
  args: { least: 1, most: 1 },
  completes: "sessions",
};

export async function run(call: SubcommandCall): Promise<number> {
  const argument = await sessionArgument(call.args[0], call.places, call);
  if (argument.place === undefined) {
    throw usageError("Missing entry after #", "For example: bough export-branch session#entry");
  }
  return exportSession(call, { format: "jsonl", scope: "subtree", argument });
}
