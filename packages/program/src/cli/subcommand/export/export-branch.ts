/** `bough export-branch`: an entry and everything below it, as its own session. */
import { usageError } from "../../cli-error.js";
import { sessionArgument } from "../session-argument.js";
import type { SubcommandCall } from "../subcommand.js";
import { exportSession } from "./export-session.js";

export async function run(call: SubcommandCall): Promise<number> {
  const argument = await sessionArgument(call.args[0], call.places, call);
  if (argument.place === undefined) {
    throw usageError("Missing entry after #", "For example: bough export-branch session#entry");
  }
  return exportSession(call, { format: "jsonl", scope: "subtree", argument });
}
