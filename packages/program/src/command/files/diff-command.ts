/** /diff: how files differ. */
import type { EntryId } from "@bough/session/entry/index.js";
import { counted } from "@bough/session/text/index.js";
import { branchIndexOf, isPromptAt, type TreeSource } from "@bough/session/tree/index.js";
import { differenceLines, differenceTotals, type FileDifference, patchOf } from "@bough/session/view/door.js";
import { lineText } from "@bough/session/view/index.js";
import { readArguments } from "../arguments.js";
import { empty } from "../availability.js";
import type { Command, CommandContext, CommandOutcome, DiffEnds } from "../command.js";
import { differenceSentences } from "../compare/recorded-files.js";
import { placeCompletions } from "../completions.js";
import { titleOfEntry } from "../entry-title.js";
import { shownOr } from "../outcome.js";
import { resolveReference } from "../reference.js";

export const DIFF_COMMAND: Command = {
  name: "diff",
  group: "files",
  usage: "[a] [b]",
  summary: "Show how files differ",
  details:
    "Without arguments, shows what the last run changed. With one entry, compares its files with those on disk; with two, compares theirs. Takes IDs, labels, branch numbers and @. Covers files that this session changed.",
  complete: placeCompletions,
  unavailable: empty,
  async run(context, args) {
    const { words } = readArguments(args, { most: 2 });
    const ends = endsOf(context, words);
    return shownOr(context, { screen: "diff", ...ends }, () => inText(context, ends));
  },
};

function endsOf(context: CommandContext, [first, second]: readonly string[]): DiffEnds {
  const { session } = context.agent;
  if (first === undefined) {
    const source = session.getSource();
    const prompt = lastPrompt(source);
    const from = prompt < 0 ? null : source.tree.ids.textOf(prompt);
    return { from, to: session.getLeafId(), title: "What the last run changed" };
  }
  const from = namedState(context, first);
  if (second === undefined) return { from, to: "disk", title: `From "${titleAt(context, from)}" to the files on disk` };
  const to = namedState(context, second);
  return { from, to, title: `From "${titleAt(context, from)}" to "${titleAt(context, to)}"` };
}

/** The number of the nearest prompt at or above the leaf; -1 if there is none. */
function lastPrompt({ tree, leaf }: Pick<TreeSource, "tree" | "leaf">): number {
  let at = leaf;
  while (at >= 0 && !isPromptAt(tree, at)) at = tree.parentOf(at);
  return at;
}

/** At the current position everything recorded there counts; for other entries, what their step did. */
export function namedState(context: CommandContext, reference: string): EntryId {
  const found = resolveReference(context, reference);
  return reference === "@" ? (context.agent.session.getLeafId() ?? found) : found;
}

/** Title of a position: the last message, not a record below it. */
export function titleAt({ agent: { session } }: CommandContext, position: EntryId | null): string {
  const { tree } = session.getSource();
  const said = position === null ? -1 : branchIndexOf(tree).conversationAt(tree.ids.findText(position));
  return titleOfEntry(session, said < 0 ? null : tree.ids.textOf(said));
}

/** More lines of one diff are counted and not shown; the data has them. */
const MOST_LINES = 200;

async function inText({ agent }: CommandContext, { from, to, title }: DiffEnds): Promise<CommandOutcome> {
  const { files, unread, skipped } = await agent.diffFiles(from, to);
  const found: FileDifference[] = [];
  for await (const one of files) found.push(one);
  const lines = [`${title}: ${differenceTotals(found)}`];
  if (found.length > 0) lines.push(...differenceSentences(found).slice(0, -1));
  for (const one of found) lines.push("", ...differenceLines(one, { most: MOST_LINES }).map(lineText));
  lines.push(...notShown({ unread, skipped }));
  const data = {
    files: found.map(({ hunks: _hunks, ...facts }, at) => ({ ...facts, patch: patchOf(found[at] as FileDifference) })),
  };
  return { kind: "done", message: lines.join("\n"), data };
}

/** Sentences about what a diff does not have. */
export function notShown({
  unread,
  skipped,
}: {
  readonly unread: readonly EntryId[];
  readonly skipped: readonly { readonly path: string }[];
}): readonly string[] {
  const lost = `The changes of ${counted(unread.length, "step")} are not on this machine.`;
  return [
    ...(unread.length === 0 ? [] : [lost]),
    ...(skipped.length === 0 ? [] : [`Not covered: ${skipped.map(({ path }) => path).join(", ")}`]),
  ];
}
