/** /compare: two branches side by side. */
import type { EntryId } from "@bough/session/entry/index.js";
import { counted, shortCount, titleOf } from "@bough/session/text/index.js";
import { branchIndexOf } from "@bough/session/tree/index.js";
import { readArguments } from "../arguments.js";
import { empty } from "../availability.js";
import { branchAt, endOfBranch } from "../branch-facts.js";
import type { Command, CommandContext } from "../command.js";
import { branchCompletions } from "../completions.js";
import { titleOfEntry } from "../entry-title.js";
import { shown, unchanged } from "../outcome.js";
import { resolveReference } from "../reference.js";
import { branchWords, SENTENCES } from "../sentences.js";
import { chooseFirst } from "../session/choose-first.js";
import { differenceSentences, recordedFiles } from "./recorded-files.js";

export const COMPARE_COMMAND: Command = {
  name: "compare",
  group: "tree",
  usage: "[a] [b]",
  summary: "Compare two branches side by side",
  details:
    "Shows where they split, what each did, how each ended, and how their files differ. Takes IDs, labels and branch numbers. With one argument, compares it with your position; without arguments, opens the branch list. Uses no model.",
  complete: branchCompletions,
  unavailable: empty,
  async run(context, args) {
    const { words } = readArguments(args, { most: 2 });
    if (words.length === 0) {
      return chooseFirst(context, { screen: "branches", purpose: "compare" });
    }
    // Relative to the current position: a single argument is compared with it.
    const [first = "@", second] = words.length === 1 ? ["@", words[0]] : words;
    const a = endNamed(context, first);
    const b = endNamed(context, second as string);
    if (a === b) return unchanged(SENTENCES.samePlace);
    if (context.front.screens.has("compare")) return shown(context.front, { screen: "compare", a, b });
    const told = context.agent.compare(a, b);
    const files = await recordedFiles(context, { a, b });
    // Uses the recorded changes: a shell command changes files that no call names.
    const data = files === undefined ? told : { ...told, ...files };
    const lines = files === undefined ? [] : differenceSentences(files.differences);
    return { kind: "done", message: [comparison(context, data), ...lines].join("\n"), data };
  },
};

/** An entry means the end of its branch, except the current position. */
function endNamed(context: CommandContext, reference: string): string {
  const { session } = context.agent;
  const entryId = resolveReference(context, reference);
  if (reference === "@") return entryId;
  return endOfBranch(session, branchAt(session, entryId).number) ?? entryId;
}

function comparison(
  { agent: { session } }: CommandContext,
  data: ReturnType<CommandContext["agent"]["compare"]>,
): string {
  const parted = data.sharedId === null ? SENTENCES.noSharedRoot : partedAt(session, data.sharedId);
  const side = ({ tipId, steps, totals, contextTokens, end }: typeof data.a): string => {
    const name = branchWords(branchAt(session, tipId));
    const size = `${counted(steps.length, "turn")}, about ${shortCount(contextTokens)} tokens, ${counted(totals.toolCalls, "tool call")}`;
    return `${name}: ${size}; ends: ${titleOf(end.text, 80) || "nothing said"}`;
  };
  const { onlyA, both, onlyB } = data.changed;
  const files = `Files: ${onlyA.length} only here, ${both.length} in both, ${onlyB.length} only there`;
  return [parted, side(data.a), side(data.b), files].join("\n");
}

/** A message, not a settings record that happens to be above both. */
function partedAt(session: CommandContext["agent"]["session"], sharedId: EntryId): string {
  const { tree } = session.getSource();
  const said = branchIndexOf(tree).conversationAt(tree.ids.findText(sharedId));
  return said < 0 ? "Split at the start" : `Split at "${titleOfEntry(session, tree.ids.textOf(said))}"`;
}
