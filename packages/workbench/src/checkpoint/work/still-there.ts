/** Whether a conversation is still where a call was interrupted. */
import { type EntryId, Kind, Role } from "@bough/session/entry/index.js";
import type { TreeSource } from "@bough/session/tree/index.js";

/** Results of other calls and notes may have been added since; a prompt or an answer means that it was continued. */
export function isStillThere({ tree, leaf }: Pick<TreeSource, "tree" | "leaf">, below: EntryId | null): boolean {
  const from = below === null ? -1 : tree.ids.findText(below);
  if (below !== null && from < 0) return false;
  for (let at = leaf; at !== from; at = tree.parentOf(at)) {
    if (at < 0) return false;
    const role = tree.kindOf(at) === Kind.message ? tree.roleOf(at) : undefined;
    if (role === Role.user || role === Role.assistant) return false;
  }
  return true;
}
