/** Renders a session as Markdown in pieces, so that a long one is never held in memory as a whole. */
import { type EntryId, entryText, FILES_TYPE, type SessionEntry } from "@bough/session/entry/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { firstWords } from "@bough/session/text/index.js";
import { childrenOf, conversationParent, isConversation } from "@bough/session/tree/index.js";
import { markdownPieces } from "@bough/session/view/internal.js";

/**
 * The first entry below the nearest fork above the leaf; `null` if there is none.
 *
 *     a ─ b ─ c ─ d*       c
 *          └─ e
 */
export function branchStart(session: SessionManager, from?: EntryId): EntryId | null {
  const { tree, leaf } = session.getSource();
  for (let n = from === undefined ? leaf : tree.ids.findText(from); n >= 0; n = tree.parentOf(n)) {
    if (!isConversation(tree.kindOf(n))) continue;
    if (conversationBelow(session, conversationParent(tree, n)).length > 1) return tree.ids.textOf(n);
  }
  return null;
}

/** The title, followed by every visible entry. With `all`, each branch is a chapter. */
export function* sessionMarkdown(
  session: SessionManager,
  request: { readonly scope: "path" | "all"; readonly title: string; readonly madeAt: string },
): Generator<string> {
  const { scope, title, madeAt } = request;
  yield `# ${firstWords(title, 400)}\n\nExported ${madeAt} from session ${session.getSessionId()}\n`;
  if (scope === "all") yield* chapters(session);
  else yield* markdownPieces(session.readBranch(), { tools: "folded" });
}

function* chapters(session: SessionManager): Generator<string> {
  const { tree, entryAt } = session.getSource();
  /** First entries of the remaining branches, next one last. */
  const waiting = conversationBelow(session, -1).reverse();
  for (let number = 1; ; number++) {
    const first = waiting.pop();
    if (first === undefined) return;
    const above = tree.parentOf(first);
    const where = above < 0 ? "" : `, after “${firstWords(entryText(entryAt(above)), 60)}”`;
    yield `\n# Branch ${number}${where}\n`;
    const later: number[] = [];
    yield* markdownPieces(branchEntries(session, first, later), { tools: "folded" });
    for (let i = later.length - 1; i >= 0; i--) waiting.push(later[i] as number);
  }
}

/** The entries from `first` down, following the oldest child at every fork and adding the others to `later`. */
function* branchEntries(session: SessionManager, first: number, later: number[]): Generator<SessionEntry> {
  const { entryAt } = session.getSource();
  for (let n: number | undefined = first; n !== undefined; ) {
    yield entryAt(n);
    const below = conversationBelow(session, n);
    yield* recordsBelow(session, n, below[0]);
    for (let i = 1; i < below.length; i++) later.push(below[i] as number);
    n = below[0];
  }
}

/** File records between an entry and the next one of the conversation; after the last one, those directly below it. */
function* recordsBelow(session: SessionManager, n: number, next: number | undefined): Generator<SessionEntry> {
  const { tree, entryAt } = session.getSource();
  const between: number[] = [];
  if (next === undefined) between.push(...childrenOf(tree, n));
  else for (let at = tree.parentOf(next); at >= 0 && at !== n; at = tree.parentOf(at)) between.unshift(at);
  for (const at of between) {
    const entry = entryAt(at);
    if (entry.type === "custom" && entry.customType === FILES_TYPE) yield entry;
  }
}

/** The next conversation entries below an entry, oldest first, skipping notes in between. */
function conversationBelow(session: SessionManager, parent: number): number[] {
  const { tree } = session.getSource();
  const found: number[] = [];
  const open = [parent];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (let child = tree.firstChildOf(at); child >= 0; child = tree.nextSiblingOf(child)) {
      if (isConversation(tree.kindOf(child))) found.push(child);
      else open.push(child);
    }
  }
  return found.sort((a, b) => a - b);
}
