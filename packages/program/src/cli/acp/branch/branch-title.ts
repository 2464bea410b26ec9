/** The title of a branch in a client's list: the session, and the topic of the branch. */
import { firstWords } from "@bough/session/text/index.js";
import { branchIndexOf, type TreeSource } from "@bough/session/tree/index.js";
import { branchLabel, branchPrompt } from "@bough/session/view/internal.js";
import { branchPlace } from "./branch-end.js";
import { type ListedBranch, listBranches } from "./list-branches.js";
import { type BranchKey, MAIN } from "./session-id.js";

const LONGEST = 80;

/** "Sign-in page", or "Sign-in page › use a library". "" if it has no conversation. */
export function branchTitle(source: TreeSource, { key, first, end }: Omit<ListedBranch, "archived">): string {
  const { tree, name } = source;
  const root = branchIndexOf(tree).firstChildOf(-1);
  if (root < 0) return name ?? "";
  const session = firstWords(name ?? branchPrompt(source, root), LONGEST);
  if (key === MAIN) return session;
  const label = branchLabel(source, branchIndexOf(tree).branchOf(end));
  const isOwn = first !== end || end === tree.ids.findText(key);
  const words = label ?? (isOwn ? firstWords(branchPrompt(source, first), LONGEST) : "fork");
  return `${session} › ${words}`;
}

/** The same by key; "" if there is no such branch. */
export function sessionTitle(source: TreeSource, key: BranchKey): string {
  if (branchPlace(source, key) === undefined) return "";
  const listed = listBranches(source).find((branch) => branch.key === key);
  return listed === undefined ? "" : branchTitle(source, listed);
}
