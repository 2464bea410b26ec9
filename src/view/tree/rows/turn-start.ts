/** Where turns begin: at prompts, and at messages with which an extension let the agent answer. */
import { Kind, Role } from "../../../entry/index.js";
import type { TreeReader } from "../tree-reader.js";

export function isPrompt({ source: { tree } }: TreeReader, n: number): boolean {
  return n >= 0 && tree.kindOf(n) === Kind.message && tree.roleOf(n) === Role.user;
}

/** A message that an extension sent. */
export function isExtensionMessage({ source: { tree } }: TreeReader, n: number): boolean {
  if (n < 0) return false;
  const kind = tree.kindOf(n);
  return kind === Kind.customMessage || (kind === Kind.message && tree.roleOf(n) === Role.custom);
}

/**
 * Whether a turn begins with an entry. `below` is the next conversation on the path. A message of an extension that was
 * answered begins one, unless it came with a prompt, or between the tools of a turn and the next step:
 *
 *     prompt ─ call ─ result ─ answer ─ message ─ call ─ result ─ answer      two turns
 *     prompt ─ message ─ call ─ result ─ message ─ call ─ result ─ answer     one
 */
export function startsTurn(reader: TreeReader, n: number, below: number): boolean {
  if (isPrompt(reader, n)) return true;
  if (!isExtensionMessage(reader, n) || roleAt(reader, below) !== Role.assistant) return false;
  let above = reader.branches.conversationParentOf(n);
  while (isExtensionMessage(reader, above)) above = reader.branches.conversationParentOf(above);
  return !isPrompt(reader, above) && roleAt(reader, above) !== Role.toolResult;
}

function roleAt({ source: { tree } }: TreeReader, n: number): Role | undefined {
  return n >= 0 && tree.kindOf(n) === Kind.message ? tree.roleOf(n) : undefined;
}
