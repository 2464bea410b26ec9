/** /label: label points in the tree. */
import { titleOf } from "@bough/session/text/index.js";
import { readArguments, wrongArguments } from "../arguments.js";
import { empty, readOnly, unless } from "../availability.js";
import { currentEntry } from "../branch-facts.js";
import type { Command, CommandContext, CommandOutcome } from "../command.js";
import { CommandError } from "../command-error.js";
import { placeCompletions } from "../completions.js";
import { titleOfEntry } from "../entry-title.js";
import { unchanged } from "../outcome.js";
import { resolveReference } from "../reference.js";
import { SENTENCES } from "../sentences.js";
import { labelEntry, labelsOf } from "./label-entry.js";

/** The label, which comes first, is in quotes. */
const IN_QUOTES = /^\s*(?:--\S+\s+)*["']/;
/** Shorter words are taken as an id only if they match one completely. */
const LEAST_PREFIX = 4;

export const LABEL_COMMAND: Command = {
  name: "label",
  group: "tree",
  usage: "[name] [id|#n] [--move] [--remove]",
  summary: "Label a point in the tree",
  details:
    "Labels your current entry, or the one given last (ID, label or #n). A label may have several words; quote it if its last word looks like an ID. Labels work anywhere an ID does. Without arguments, lists the labels. --move moves a label from another entry, --remove removes one.",
  complete: (context, typed) => (/\s/.test(typed.trimStart()) ? placeCompletions(context, typed) : []),
  unavailable: unless(empty, readOnly),
  async run(context, args) {
    const { words, options } = readArguments(args, { options: ["--move", "--remove"] });
    if (options.has("--remove")) return labelled(context, { label: "", reference: words.join(" ") || undefined });
    const named = IN_QUOTES.test(args);
    if (named && words.length > 2) throw wrongArguments("Too many arguments");
    const { label, reference } = labelAndPlace(context, words, { named });
    if (label === undefined) return labelListing(context);
    const outcome = await labelled(context, { label, reference, taken: options.has("--move") ? "move" : "refuse" });
    if (outcome.kind !== "unchanged" || outcome.code !== "label-taken") return outcome;
    return { ...outcome, hint: "--move moves it here." };
  },
};

/** The last word is an entry if it names one; after a quoted label it must be. */
function labelAndPlace(
  context: CommandContext,
  words: readonly string[],
  { named }: { readonly named: boolean },
): { readonly label: string | undefined; readonly reference: string | undefined } {
  const last = words.at(-1);
  if (words.length < 2 || last === undefined) return { label: words[0], reference: undefined };
  if (named || isPlace(context, last)) return { label: words.slice(0, -1).join(" "), reference: last };
  return { label: words.join(" "), reference: undefined };
}

/** A branch number is never part of the label, so a wrong one is an error. */
function isPlace(context: CommandContext, word: string): boolean {
  if (/^#\d+$/.test(word)) return true;
  const { session } = context.agent;
  const known = session.getEntry(word) !== undefined || labelsOf(session).some(({ label }) => label === word);
  if (!known && word !== "@" && word !== "-" && word.length < LEAST_PREFIX) return false;
  try {
    resolveReference(context, word);
    return true;
  } catch (error) {
    if (error instanceof CommandError && error.code === "unknown-reference") return false;
    throw error;
  }
}

interface Labelling {
  readonly label: string;
  readonly reference: string | undefined;
  readonly taken?: "refuse" | "move";
}

async function labelled(context: CommandContext, { label, reference, taken }: Labelling): Promise<CommandOutcome> {
  const entryId = reference === undefined ? currentEntry(context.agent.session) : resolveReference(context, reference);
  if (entryId === undefined) return unchanged(SENTENCES.nothingHere);
  return labelEntry(context, { entryId, label, taken });
}

function labelListing({ agent: { session } }: CommandContext): CommandOutcome {
  const labels = labelsOf(session);
  if (labels.length === 0) return unchanged(SENTENCES.noLabels);
  const lines = labels.map(({ id, label }) => `  ${titleOf(label)}  "${titleOfEntry(session, id)}"  ${id}`);
  return { kind: "done", message: lines.join("\n"), data: { labels } };
}
