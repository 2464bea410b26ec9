/** A session as Markdown for people: piece by piece, so that a long one is never held as a whole. */
import { callsIn, contentText, type EntryId, entryText, resultIn, roleIn, type SessionEntry } from "../entry/index.js";
import type { SessionManager } from "../session/index.js";
import { fenced, isRecord } from "../text/index.js";
import { conversationParent, isConversation } from "../tree/index.js";

interface MarkdownPiece {
  readonly text: string;
  /** Entries it represents. */
  readonly count: number;
}

/**
 * The first entry below the nearest fork above the leaf; `null` if there is none.
 *
 *     a ─ b ─ c ─ d*       c
 *          └─ e
 */
export function branchStart(session: SessionManager): EntryId | null {
  const { tree, leaf } = session.getSource();
  for (let n = leaf; n >= 0; n = tree.parentOf(n)) {
    if (!isConversation(tree.kindOf(n))) continue;
    if (conversationBelow(session, conversationParent(tree, n)).length > 1) return tree.ids.textOf(n);
  }
  return null;
}

/** The title, and then every entry that says something. With `all`, each branch is its own chapter. */
export function* sessionMarkdown(
  session: SessionManager,
  request: { readonly scope: "path" | "all"; readonly title: string; readonly madeAt: string },
): Generator<MarkdownPiece> {
  const { scope, title, madeAt } = request;
  yield { text: `# ${oneLine(title)}\n\nExported ${madeAt} from session ${session.getSessionId()}\n`, count: 0 };
  if (scope === "all") yield* chapters(session);
  else for (const id of session.getBranchIds()) yield* pieceOf(session.getEntry(id));
}

function* chapters(session: SessionManager): Generator<MarkdownPiece> {
  const { tree, entryAt } = session.getSource();
  /** First entries of branches that are still to be told, the next one last. */
  const waiting = conversationBelow(session, -1).reverse();
  for (let number = 1; ; number++) {
    let n = waiting.pop();
    if (n === undefined) return;
    const above = tree.parentOf(n);
    const where = above < 0 ? "" : `, after “${oneLine(entryText(entryAt(above))).slice(0, 60)}”`;
    yield { text: `\n# Branch ${number}${where}\n`, count: 0 };
    const later: number[] = [];
    while (n !== undefined) {
      yield* pieceOf(entryAt(n));
      const below = conversationBelow(session, n);
      for (let i = 1; i < below.length; i++) later.push(below[i] as number);
      n = below[0];
    }
    for (let i = later.length - 1; i >= 0; i--) waiting.push(later[i] as number);
  }
}

/** The next entries of the conversation below one, oldest first; through notes that hang in between. */
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

function* pieceOf(entry: SessionEntry | undefined): Generator<MarkdownPiece> {
  const text = entry === undefined ? "" : markdownOf(entry);
  if (text !== "") yield { text: `\n${text}\n`, count: 1 };
}

/** One entry; empty for state, labels and the like. */
function markdownOf(entry: SessionEntry): string {
  const text = entryText(entry).trim();
  if (entry.type === "compaction") return noted("Summary of what came before", text);
  if (entry.type === "branch_summary") return noted("Summary of another branch", text);
  if (entry.type === "custom_message") return entry.display === false ? "" : noted(`Note (${entry.customType})`, text);
  switch (roleIn(entry)) {
    case "user":
      return headed("Prompt", [text, ...imagesIn(entry)]);
    case "assistant":
      return answered(entry, text);
    case "toolResult":
      return resultOf(entry);
    case "bashExecution":
      return headed("Shell", [block(text)]);
    case "custom":
    case "hookMessage":
      return noted("Note", text);
    default:
      return "";
  }
}

function answered(entry: SessionEntry, text: string): string {
  const parts = [text];
  for (const call of callsIn(entry))
    parts.push(`**${call.name}**\n\n${block(JSON.stringify(call.arguments, null, 2))}`);
  const { stopReason, errorMessage } = (entry as unknown as { readonly message: Readonly<Record<string, unknown>> })
    .message;
  if (stopReason === "error" || stopReason === "aborted") {
    const reason = typeof errorMessage === "string" ? `: ${oneLine(errorMessage)}` : "";
    parts.push(`*${stopReason === "error" ? "Failed" : "Stopped"}${reason}*`);
  }
  return headed("Answer", parts);
}

function resultOf(entry: SessionEntry): string {
  const result = resultIn(entry);
  const content = entry.type === "message" && isRecord(entry.message) ? entry.message.content : undefined;
  const title = `${result?.toolName || "tool"}${result?.isError === true ? " (error)" : ""}`;
  const parts = [block(contentText(content)), ...imagesIn(entry)];
  return `<details>\n<summary>Result of ${oneLine(title).replace(/[<>&]/g, "")}</summary>\n\n${parts.join("\n\n")}\n\n</details>`;
}

function imagesIn(entry: SessionEntry): string[] {
  const content: unknown = entry.type === "message" && isRecord(entry.message) ? entry.message.content : undefined;
  if (!Array.isArray(content)) return [];
  const images = content.filter((block) => isRecord(block) && block.type === "image").length;
  return images === 0 ? [] : [`*${images === 1 ? "An image" : `${images} images`} left out*`];
}

function headed(title: string, parts: readonly string[]): string {
  const said = parts.filter((part) => part !== "");
  return said.length === 0 ? "" : [`## ${title}`, ...said].join("\n\n");
}

function noted(title: string, text: string): string {
  if (text === "") return "";
  return [`> **${oneLine(title)}**`, ">", ...text.split("\n").map((line) => `> ${line}`.trimEnd())].join("\n");
}

function block(text: string): string {
  return fenced(text.replace(/\s+$/, ""));
}

function oneLine(text: string): string {
  return text.slice(0, 400).replace(/\s+/g, " ").trim();
}
