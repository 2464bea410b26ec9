/** Prompts to choose from, as text. */
import { entryText } from "@bough/session/entry/index.js";
import { titleOf } from "@bough/session/text/index.js";
import { branchIndexOf, isPromptAt } from "@bough/session/tree/index.js";
import type { CommandContext, CommandOutcome } from "./command.js";

const SHOWN = 20;

/** The newest prompts of this path as text and data, for callers that have no screen to choose on. */
export function promptListing({ agent: { session } }: CommandContext, command: string): CommandOutcome {
  const { tree, leaf, entryAt } = session.getSource();
  const branches = branchIndexOf(tree);
  const prompts: { readonly entryId: string; readonly text: string }[] = [];
  for (let at = branches.conversationAt(leaf); at >= 0; at = branches.conversationParentOf(at)) {
    if (!isPromptAt(tree, at)) continue;
    prompts.push({ entryId: tree.ids.textOf(at), text: titleOf(entryText(entryAt(at)), 80) });
    if (prompts.length === SHOWN) break;
  }
  const lines = prompts.map(({ entryId, text }) => `  ${entryId}  ${text}`);
  return { kind: "done", message: lines.join("\n"), hint: `Choose one: ${command} <id>`, data: { prompts } };
}
