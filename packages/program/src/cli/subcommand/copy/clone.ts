/** `bough clone`: a copy of a path, or of a whole session. */
import { planClone } from "@bough/agent/agent/plan.js";
import { findEntry } from "@bough/workbench/find/index.js";
import { usageError } from "../../cli-error.js";
import { ownSessionArgument } from "../session-argument.js";
import type { SubcommandCall, SubcommandRow } from "../subcommand.js";
import { type CopyPlan, copySession } from "./copy-session.js";

export const row: SubcommandRow = {
  name: "clone",
  usage: "[session[#entry]]",
  summary: "Copy a path or a whole session into a new session",
  details:
    "Copies the current path, or the path to an entry. --all copies every branch. The original is not modified; the copy records where it came from.",
  flags: {
    all: { short: "a", help: "copy every branch" },
    name: { value: "name", help: "name of the new session" },
  },
  examples: [
    ["clone", "the current path of the last session here"],
    ["clone 4f2a#before-rewrite --name 'second try'", "only the path to a label"],
    ["clone 4f2a --all", "all branches"],
  ],
  json: '{ "session": { id, path, name, leafId }, "from": path, "entries": number, "entryId"? }',
  args: { least: 0, most: 1 },
  completes: "sessions",
};

export async function run(call: SubcommandCall): Promise<number> {
  const argument = await ownSessionArgument(call.args[0], call.places);
  const { place } = argument;
  const all = call.flags.isOn("all");
  if (all && place !== undefined) {
    throw usageError("--all copies every branch", "Name the session without #entry, or drop --all.");
  }
  return copySession(call, argument, (source): CopyPlan => {
    if (all) return { kind: "all" };
    const leafId = place === undefined ? planClone(source).leafId : findEntry(source, place);
    return { kind: "path", leafId, says: `the path to ${leafId}` };
  });
}
