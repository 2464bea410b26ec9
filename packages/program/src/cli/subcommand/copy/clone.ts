/** `bough clone`: a copy of a path, or of a whole session. */
import { planClone } from "@bough/agent/agent/plan.js";
import { placeIn } from "@bough/workbench/find/index.js";
import { usageError } from "../../cli-error.js";
import { ownSessionArgument } from "../session-argument.js";
import type { SubcommandCall } from "../subcommand.js";
import { type CopyPlan, copySession } from "./copy-session.js";

export async function run(call: SubcommandCall): Promise<number> {
  const argument = await ownSessionArgument(call.args[0], call.places);
  const { place } = argument;
  const all = call.flags.isOn("all");
  if (all && place !== undefined) {
    throw usageError("--all copies every branch", "Name the session without #entry, or drop --all.");
  }
  return copySession(call, argument, (source): CopyPlan => {
    if (all) return { kind: "all" };
    const leafId = place === undefined ? planClone(source).leafId : placeIn(source, place);
    return { kind: "path", leafId, says: `the path to ${leafId}` };
  });
}
