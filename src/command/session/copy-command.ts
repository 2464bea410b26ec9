/** /copy: text to the clipboard. */
import { entryText, Kind, Role } from "../../entry/index.js";
import { branchIndexOf } from "../../tree/index.js";
import { readArguments } from "../arguments.js";
import { empty } from "../availability.js";
import type { Command, CommandContext } from "../command.js";
import { placeCompletions } from "../completions.js";
import { unchanged } from "../outcome.js";
import { resolveReference } from "../reference.js";
import { SENTENCES } from "../sentences.js";

export const COPY_COMMAND: Command = {
  name: "copy",
  group: "session",
  usage: "[id|label]",
  summary: "Copy the last answer, or the text of an entry",
  details: "Copies the raw text to the terminal's clipboard.",
  complete: placeCompletions,
  unavailable: empty,
  async run(world, args) {
    const { words } = readArguments(args, { most: 1 });
    const { session } = world.agent;
    const entryId = words[0] === undefined ? lastAnswer(world) : resolveReference(world, words[0]);
    const entry = entryId === undefined ? undefined : session.getEntry(entryId);
    const text = entry === undefined ? "" : entryText(entry);
    if (text === "") return unchanged(words[0] === undefined ? SENTENCES.nothingToCopy : SENTENCES.noText);
    world.front.copy(text);
    return { kind: "done", message: SENTENCES.copied(text), data: { entryId, text } };
  },
};

/** The nearest answer with words above the leaf. */
function lastAnswer({ agent: { session } }: CommandContext): string | undefined {
  const { tree, leaf, entryAt } = session.getSource();
  const branches = branchIndexOf(tree);
  for (let at = branches.conversationAt(leaf); at >= 0; at = branches.conversationParentOf(at)) {
    if (tree.kindOf(at) !== Kind.message || tree.roleOf(at) !== Role.assistant) continue;
    if (entryText(entryAt(at)).trim() !== "") return tree.ids.textOf(at);
  }
  return undefined;
}
