/** `bough fork`: a copy of the path before a prompt, to say something else there. */
import { planFork } from "@bough/agent/agent/plan.js";
import { titleOf } from "@bough/session/text/index.js";
import { placeIn } from "@bough/workbench/find/index.js";
import { usageError } from "../../cli-error.js";
import { ownSessionArgument } from "../session-argument.js";
import type { SubcommandCall } from "../subcommand.js";
import { type CopyPlan, copySession } from "./copy-session.js";

export async function run(call: SubcommandCall): Promise<number> {
  const argument = await ownSessionArgument(call.args[0], call.places);
  const { place } = argument;
  if (place === undefined) {
    throw usageError(
      "Missing argument: the prompt to fork from, as session#entry",
      "List the prompts with bough tree --filter user-only. To copy the whole path, use bough clone.",
    );
  }
  return copySession(call, argument, (source): CopyPlan => {
    const { leafId, selectedText } = planFork(source, placeIn(source, place));
    if (leafId === null) {
      throw usageError("Nothing comes before the first prompt", "Start a new session instead: bough");
    }
    const says = `the path before "${titleOf(selectedText)}"`;
    return { kind: "path", leafId, says, data: { prompt: selectedText } };
  });
}
