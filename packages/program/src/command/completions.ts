/** Completions for a command's arguments. Cheap: computed on every key. */
import { readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { entryText } from "@bough/session/entry/index.js";
import { titleOf } from "@bough/session/text/index.js";
import { branchIndexOf, isPromptAt } from "@bough/session/tree/index.js";
import { lastWordStart, quotedWord, splitWords } from "./arguments.js";
import { newestBranches } from "./branch-facts.js";
import type { CommandContext, Completion } from "./command.js";
import { labelsOf } from "./session/label-entry.js";

/** More would not be useful in a list under the editor. */
const MOST = 50;

/** The word that is being typed. */
function typedWord(typed: string): string {
  return splitWords(typed.slice(lastWordStart(typed))).at(-1) ?? "";
}

/** Prefix matches first, then matches inside the value or description. */
export function matching(items: readonly Completion[], typed: string): Completion[] {
  const wanted = typedWord(typed).toLowerCase();
  const begins = items.filter(({ value }) => value.toLowerCase().startsWith(wanted));
  const holds = items.filter((item) => {
    const text = `${item.value} ${item.label ?? ""} ${item.description ?? ""}`.toLowerCase();
    return !begins.includes(item) && text.includes(wanted);
  });
  return [...begins, ...holds].slice(0, MOST);
}

export function choices(values: readonly string[], typed: string): Completion[] {
  return matching(
    values.map((value) => ({ value })),
    typed,
  );
}

/** Positions in the tree: labels, branches, and the newest prompts on this path. */
export function placeCompletions(context: CommandContext, typed: string): Completion[] {
  return matching([...labels(context), ...branches(context), ...prompts(context)], typed);
}

/** Branches by number and name, and the way back. */
export function branchCompletions(context: CommandContext, typed: string): Completion[] {
  const back = { value: "-", description: "the previous branch" };
  return matching([back, ...branches(context), ...labels(context)], typed);
}

function labels({ agent: { session } }: CommandContext): Completion[] {
  return labelsOf(session)
    .slice(0, MOST)
    .map(({ label }) => ({ value: quotedWord(label), label: titleOf(label), description: "label" }));
}

function branches({ agent: { session } }: CommandContext): Completion[] {
  return newestBranches(session, MOST).map(({ number, name, here }) => ({
    value: `#${number}`,
    description: here ? `${name}, you are here` : name,
  }));
}

function prompts({ agent: { session } }: CommandContext): Completion[] {
  const { tree, leaf, entryAt } = session.getSource();
  const index = branchIndexOf(tree);
  const found: Completion[] = [];
  for (let at = index.conversationAt(leaf); at >= 0 && found.length < MOST; at = index.conversationParentOf(at)) {
    if (!isPromptAt(tree, at)) continue;
    found.push({ value: tree.ids.textOf(at), description: titleOf(entryText(entryAt(at))) });
  }
  return found;
}

/** Files and folders below what was typed, relative to the working directory. */
export function fileCompletions({ cwd }: CommandContext, typed: string): Completion[] {
  const word = typedWord(typed);
  const folder = word.endsWith("/") ? word : dirname(word);
  const start = word.includes("/") ? (word.endsWith("/") ? word : `${folder === "/" ? "" : folder}/`) : "";
  const wanted = word.slice(start.length);
  const found: Completion[] = [];
  for (const item of itemsIn(resolve(cwd, start === "" ? "." : start))) {
    if (!item.name.startsWith(wanted) || (item.name.startsWith(".") && !wanted.startsWith("."))) continue;
    found.push({
      value: quotedWord(join(start, item.name) + (item.isDirectory() ? "/" : "")),
      label: titleOf(item.name),
    });
    if (found.length === MOST) break;
  }
  return found;
}

function itemsIn(folder: string): { readonly name: string; isDirectory(): boolean }[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    // An unreadable folder has no completions; the command itself reports why.
    return [];
  }
}
