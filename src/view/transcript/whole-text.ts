/** Everything an entry says, whole: for copying and for searching. */
import type { SessionEntry } from "../../entry/index.js";
import { blocksIn, messageIn } from "./read-content.js";

/** Texts of an entry in order; none for entries that say nothing. As they are in the file: not safe to show. */
export function* textsOf(entry: SessionEntry): Generator<string> {
  if (entry.type === "compaction" || entry.type === "branch_summary") yield* strings(entry.summary);
  else if (entry.type === "custom_message") yield* contentTexts(entry.content);
  const message = messageIn(entry);
  if (message === undefined) return;
  yield* contentTexts(message.content);
  yield* strings(message.command, message.output, message.summary);
}

/** What a search looks at beside the texts: thinking, and why a reply failed. */
export function* hiddenTextsOf(entry: SessionEntry): Generator<string> {
  const message = messageIn(entry);
  if (message === undefined) return;
  for (const block of blocksIn(message.content)) if (block.type === "thinking") yield* strings(block.thinking);
  yield* strings(message.errorMessage);
}

function* contentTexts(content: unknown): Generator<string> {
  for (const block of blocksIn(content)) if (block.type === "text") yield* strings(block.text);
}

function* strings(...values: readonly unknown[]): Generator<string> {
  for (const value of values) if (typeof value === "string" && value !== "") yield value;
}
