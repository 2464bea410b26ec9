/**
 * Renders a conversation as text for a summarizer: readable, in order, without the bulk that a summary does not need.
 */
import {
  type ContextReplacement,
  callsIn,
  contentText,
  type EntryId,
  entryText,
  resultIn,
  roleIn,
  type SessionEntry,
} from "@bough/session/entry/index.js";
import { isRecord } from "@bough/session/text/index.js";
import { estimateTextTokens } from "../../model/internal.js";

/** At most this much of a tool result is included. */
const TOOL_RESULT_CHARACTERS = 2_000;
const ARGUMENT_CHARACTERS = 500;

interface SummaryTextOptions {
  /** Entries with context edits applied: a summary must not bring back what was removed. */
  readonly edits?: ReadonlyMap<EntryId, ContextReplacement>;
  /** Limit in tokens, approximate; the oldest entries are dropped, and a line says how many. */
  readonly maxTokens?: number;
}

/** The entries as text. Empty if none has content. */
export function summaryText(entries: readonly SessionEntry[], options: SummaryTextOptions = {}): string {
  const parts: string[] = [];
  for (const entry of entries) {
    const part = partOf(entry, options.edits);
    if (part !== "") parts.push(part);
  }
  return fitted(parts, options.maxTokens).join("\n\n");
}

function partOf(entry: SessionEntry, edits: SummaryTextOptions["edits"]): string {
  const edit = edits?.get(entry.id);
  if (edit === null) return "";
  const text = edit === undefined ? entryText(entry) : contentText(edit);
  if (entry.type === "compaction") return spoken("Summary of what came before", text);
  if (entry.type === "branch_summary") return spoken("Summary of another branch", text);
  if (entry.type === "custom_message") return spoken(`Note (${entry.customType})`, text);
  switch (roleIn(entry)) {
    case "user":
      return spoken("User", text);
    case "assistant":
      return answered(entry, text, edit !== undefined);
    case "toolResult": {
      const result = resultIn(entry);
      const name = result?.toolName === undefined || result.toolName === "" ? "tool" : result.toolName;
      return spoken(
        `Result of ${name}${result?.isError === true ? " (error)" : ""}`,
        cut(text, TOOL_RESULT_CHARACTERS),
      );
    }
    case "bashExecution": {
      const hidden = entry.type === "message" && isRecord(entry.message) && entry.message.excludeFromContext === true;
      return hidden ? "" : spoken("User ran a command", cut(text, TOOL_RESULT_CHARACTERS));
    }
    case "custom":
    case "hookMessage":
      return spoken("Note", text);
    default:
      return "";
  }
}

function answered(entry: SessionEntry, text: string, edited: boolean): string {
  const lines = text.trim() === "" ? [] : [`[Assistant]: ${text.trim()}`];
  for (const call of edited ? [] : callsIn(entry)) {
    lines.push(`[Assistant calls ${call.name}]: ${cut(JSON.stringify(call.arguments), ARGUMENT_CHARACTERS)}`);
  }
  return lines.join("\n");
}

function spoken(who: string, text: string): string {
  return text.trim() === "" ? "" : `[${who}]: ${text.trim()}`;
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  // Never split a surrogate pair: some providers refuse the whole request.
  const end = /[\uD800-\uDBFF]/.test(text[most - 1] as string) ? most - 1 : most;
  return `${text.slice(0, end)}\n[… ${text.length - end} more characters]`;
}

function fitted(parts: readonly string[], maxTokens: number | undefined): readonly string[] {
  if (maxTokens === undefined) return parts;
  let left = maxTokens;
  for (let i = parts.length - 1; i >= 0; i--) {
    left -= estimateTextTokens(parts[i] as string);
    // Always includes the newest entry: a summary of nothing would be worse than one that is a little too long.
    if (left < 0 && i < parts.length - 1) return [`[${i + 1} earlier entries omitted]`, ...parts.slice(i + 1)];
  }
  return parts;
}
