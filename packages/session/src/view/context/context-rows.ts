/** What the model sees, piece by piece, each with its token count. */
import { type EntryId, entryText, type SessionEntry } from "../../entry/index.js";
import { counted, firstWords } from "../../text/index.js";
import { entryBlocks } from "../transcript/entry-blocks.js";
import { messageIn, textIn } from "../transcript/read-content.js";

export type ContextKind = "system" | "tools" | "prompt" | "answer" | "result" | "shell" | "note" | "message";

export interface ContextItem {
  /** The entry it comes from; undefined for the system prompt and the tools. */
  readonly id: EntryId | undefined;
  readonly kind: ContextKind;
  readonly title: string;
  /** Default 0. */
  readonly tokens: number;
  readonly pinned?: boolean;
  /** Something else is shown in its place. */
  readonly edited?: boolean;
  /** Nothing is shown in its place. */
  readonly leftOut?: boolean;
}

export interface ContextRow extends ContextItem {
  /** Its share of all tokens, from 0 to 1. */
  readonly share: number;
}

export type ContextSort = "order" | "size";

export type ContextMarks = Pick<ContextItem, "pinned" | "edited" | "leftOut">;

/** The item for an entry; undefined for entries that are never shown to a model. */
export function contextItem(entry: SessionEntry, tokens: number, marks: ContextMarks = {}): ContextItem | undefined {
  const seen = kindAndTitle(entry);
  if (seen === undefined) return undefined;
  return { id: entry.id, ...seen, tokens: marks.leftOut === true ? 0 : tokens, ...marks };
}

/** In the order they are shown, or largest first. Shares are relative to the sum of all items. */
export function contextRows(items: readonly ContextItem[], sort: ContextSort): ContextRow[] {
  let total = 0;
  for (const { tokens } of items) total += tokens;
  const rows = items.map((item) => ({ ...item, share: total === 0 ? 0 : item.tokens / total }));
  return sort === "order" ? rows : rows.sort((a, b) => b.tokens - a.tokens);
}

function kindAndTitle(entry: SessionEntry): Pick<ContextItem, "kind" | "title"> | undefined {
  const message = messageIn(entry);
  switch (message?.role) {
    case "user":
      return { kind: "prompt", title: firstWords(entryText(entry)) || "(no text)" };
    case "toolResult": {
      const tool = firstWords(textIn(message.toolName), 60);
      return { kind: "result", title: `${tool}: ${firstWords(entryText(entry))}` };
    }
    case "bashExecution":
      if (message.excludeFromContext === true) return undefined;
      return { kind: "shell", title: firstWords(textIn(message.command)) };
    case "assistant":
      return { kind: "answer", title: answerTitle(entry) };
    default:
  }
  // Messages hidden from the user are still shown to the model.
  const displayed = entry.type === "custom_message" ? { ...entry, display: true } : entry;
  const [block] = entryBlocks(displayed, { resultOf: () => undefined });
  if (block?.kind === "note" && entry.type !== "custom") return { kind: "note", title: block.title };
  if (block?.kind !== "custom") return undefined;
  // Bough's own notes for the model have no name that a user knows.
  if (block.customType.startsWith("bough.")) return { kind: "note", title: firstWords(block.text) };
  return { kind: "message", title: `${firstWords(block.customType, 60)}: ${firstWords(block.text)}` };
}

function answerTitle(entry: SessionEntry): string {
  const calls: string[] = [];
  let text = "";
  for (const block of entryBlocks(entry, { resultOf: () => undefined })) {
    if (block.kind === "answer" && text === "") text = firstWords(block.text);
    else if (block.kind === "tool") calls.push(block.title);
  }
  if (text !== "") return calls.length === 0 ? text : `${text} (+ ${counted(calls.length, "tool call")})`;
  return calls.length === 1
    ? (calls[0] as string)
    : calls.length > 1
      ? counted(calls.length, "tool call")
      : "(no text)";
}
