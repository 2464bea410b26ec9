/** Where turns start: at prompts, and at extension messages that the agent answered. */
import { Kind, Role } from "../../../entry/index.js";
import { isExtensionMessageAt, isPromptAt } from "../../../tree/index.js";
import type { TreeReader } from "../tree-reader.js";

/**
 * Whether a turn starts with an entry. `below` is the next conversation entry on the path. An extension message that
 * was answered starts one, unless it came with a prompt, or between the tools of a turn and the next step:
 *
 *     prompt ─ call ─ result ─ answer ─ message ─ call ─ result ─ answer      two turns
 *     prompt ─ message ─ call ─ result ─ message ─ call ─ result ─ answer     one
 */
export function beginsTurn(reader: TreeReader, n: number, below: number): boolean {
  const { tree } = reader.source;
  if (isPromptAt(tree, n)) return true;
  if (!isExtensionMessageAt(tree, n) || roleAt(reader, below) !== Role.assistant) return false;
  let above = reader.branches.conversationParentOf(n);
  while (isExtensionMessageAt(tree, above)) above = reader.branches.conversationParentOf(above);
  return !isPromptAt(tree, above) && roleAt(reader, above) !== Role.toolResult;
}

function roleAt({ source: { tree } }: TreeReader, n: number): Role | undefined {
  return n >= 0 && tree.kindOf(n) === Kind.message ? tree.roleOf(n) : undefined;
}
