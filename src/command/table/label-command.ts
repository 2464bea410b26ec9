/** /label: names for places in the tree. */
import { readArguments } from "../arguments.js";
import { empty, readOnly, unless } from "../availability.js";
import { currentEntry } from "../branch-facts.js";
import type { Command, CommandOutcome, CommandWorld } from "../command.js";
import { placeCompletions } from "../completions.js";
import { titleOfEntry } from "../entry-words.js";
import { labelEntry, labelsOf } from "../flow/label-entry.js";
import { unchanged } from "../outcome.js";
import { resolveReference } from "../reference.js";
import { SENTENCES } from "../sentences.js";
import { titleOf } from "../words.js";

export const LABEL_COMMAND: Command = {
  name: "label",
  group: "tree",
  usage: '["name"] [id|#n] [--move] [--remove]',
  summary: "Name a place in the tree",
  details:
    "Names the entry you are at, or another one; a name with blanks needs quotes. The name then works wherever an id does. Without a name it lists the labels. --move takes a name from the entry that has it, --remove takes a label away.",
  complete: (world, typed) => (/\s/.test(typed.trimStart()) ? placeCompletions(world, typed) : []),
  unavailable: unless(empty, readOnly),
  async run(world, args) {
    const usage = `/label ${LABEL_COMMAND.usage}`;
    const { words, options } = readArguments(args, { usage, most: 2, options: ["--move", "--remove"] });
    if (options.has("--remove")) return labelled(world, { label: "", reference: words[0] });
    const [label, reference] = words;
    if (label === undefined) return labelListing(world);
    const outcome = await labelled(world, { label, reference, taken: options.has("--move") ? "move" : "refuse" });
    if (outcome.kind !== "unchanged" || outcome.code !== "label-taken") return outcome;
    return { ...outcome, message: `${outcome.message} --move moves it here.` };
  },
};

interface Labelling {
  readonly label: string;
  readonly reference: string | undefined;
  readonly taken?: "refuse" | "move";
}

async function labelled(world: CommandWorld, { label, reference, taken }: Labelling): Promise<CommandOutcome> {
  const entryId = reference === undefined ? currentEntry(world.agent.session) : resolveReference(world, reference);
  if (entryId === undefined) return unchanged(SENTENCES.nothingHere);
  return labelEntry(world, { entryId, label, ...(taken === undefined ? {} : { taken }) });
}

function labelListing({ agent: { session } }: CommandWorld): CommandOutcome {
  const labels = labelsOf(session);
  if (labels.length === 0) return unchanged(SENTENCES.noLabels);
  const lines = labels.map(({ id, label }) => `  ${titleOf(label)}  "${titleOfEntry(session, id)}"  ${id}`);
  return { kind: "done", message: lines.join("\n"), data: { labels } };
}
