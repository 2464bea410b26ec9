/** Prompts and extension messages, by number: like `isPrompt` and `startsTurn`, without reading the entry. */
import { Kind, Role } from "../entry/index.js";
import type { TreeIndex } from "./tree-index.js";

/** What an index knows about an entry without reading it. */
export type EntryKinds = Pick<TreeIndex, "kindOf" | "roleOf">;

/** Whether the entry with this number is a prompt. */
export function isPromptAt(tree: EntryKinds, n: number): boolean {
  return n >= 0 && tree.kindOf(n) === Kind.message && tree.roleOf(n) === Role.user;
}

/** Whether the entry with this number is a message that an extension sent. */
export function isExtensionMessageAt(tree: EntryKinds, n: number): boolean {
  if (n < 0) return false;
  const kind = tree.kindOf(n);
  return kind === Kind.customMessage || (kind === Kind.message && tree.roleOf(n) === Role.custom);
}

/** Whether a turn starts at the entry with this number. */
export function startsTurnAt(tree: EntryKinds, n: number): boolean {
  return isPromptAt(tree, n) || isExtensionMessageAt(tree, n);
}
