/** `bough fork`: copies the path before a prompt, to ask something else there. */
import { planFork } from "@bough/agent/agent/plan.js";
import { titleOf } from "@bough/session/text/index.js";
import { findEntry } from "@bough/workbench/find/index.js";
import { usageError } from "../../cli-error.js";
import { ownSessionArgument } from "../session-argument.js";
import type { SubcommandCall, SubcommandRow } from "../subcommand.js";
import { type CopyPlan, copySession } from "./copy-session.js";

export const row: SubcommandRow = {
  name: "fork",
  usage: "<session#entry>",
  summary: "Start a new session from just before a prompt",
  details:
    "Copies the path before the prompt into a new session. The original is not modified; the copy records where it came from. To copy a whole path or session, use bough clone.",
  flags: { name: { value: "name", help: "name of the new session" } },
  examples: [
    ["fork 4f2a#3be1", "everything before a prompt, by ID"],
    ["fork '#before-rewrite' --name 'second try'", "in the last session here, by label"],
  ],
  json: '{ "session": { id, path, name, leafId }, "from": path, "entries": number, "entryId", "prompt": string }',
  args: { least: 0, most: 1 },
  completes: "sessions",
};

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
    const { leafId, selectedText } = planFork(source, findEntry(source, place));
    if (leafId === null) {
      throw usageError("Nothing comes before the first prompt", "Start a new session instead: bough");
    }
    const says = `the path before "${titleOf(selectedText)}"`;
    return { kind: "path", leafId, says, data: { prompt: selectedText } };
  });
}
