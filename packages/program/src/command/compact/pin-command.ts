/** /pin and /unpin: text that survives every compaction. */
import { titleOf } from "@bough/session/text/index.js";
import { readArguments } from "../arguments.js";
import { empty, readOnly, unless } from "../availability.js";
import type { Command, CommandContext, CommandOutcome } from "../command.js";
import { placeCompletions } from "../completions.js";
import { titleOfEntry } from "../entry-title.js";
import { unchanged } from "../outcome.js";
import { resolveReference } from "../reference.js";
import { SENTENCES } from "../sentences.js";

export const PIN_COMMAND: Command = {
  name: "pin",
  group: "context",
  usage: "[id|label]",
  summary: "Keep an entry's text through compactions",
  details: "The entry must be on this path and contain text. Without an argument, lists what is pinned.",
  complete: placeCompletions,
  unavailable: unless(empty, readOnly),
  async run(context, args) {
    const { words } = readArguments(args, { most: 1 });
    const [reference] = words;
    if (reference === undefined) return pinListing(context);
    const entryId = resolveReference(context, reference);
    const record = context.agent.pin(entryId);
    if (record === undefined) return unchanged(SENTENCES.pinnedAlready);
    const title = titleOfEntry(context.agent.session, entryId);
    return { kind: "done", message: SENTENCES.pinned(title), data: { entryId } };
  },
};

export const UNPIN_COMMAND: Command = {
  name: "unpin",
  group: "context",
  usage: "<id|label>",
  summary: "Unpin an entry",
  details: "Text already in a compaction's summary stays there.",
  complete: ({ agent }) => agent.getPins().map(({ id, text }) => ({ value: id, description: titleOf(text) })),
  unavailable: unless(empty, readOnly),
  async run(context, args) {
    const { words } = readArguments(args, { least: 1, most: 1 });
    const entryId = resolveReference(context, words[0] as string);
    const title = titleOfEntry(context.agent.session, entryId);
    if (context.agent.unpin(entryId) === undefined) return unchanged(SENTENCES.notPinned);
    return { kind: "done", message: SENTENCES.unpinned(title), data: { entryId } };
  },
};

function pinListing({ agent }: CommandContext): CommandOutcome {
  const pins = agent.getPins();
  if (pins.length === 0) return unchanged(SENTENCES.noPins);
  const lines = pins.map(({ id, text }) => `  "${titleOf(text)}"  ${id}`);
  return { kind: "done", message: lines.join("\n"), data: { pins } };
}
