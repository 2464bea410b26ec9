/** The todo list that a model keeps: stored in the results of the tool `todo`, so that every branch has its own. */
import { isRecord } from "../text/index.js";
import type { SessionEntry } from "./entry.js";
import { resultIn } from "./tool-calls.js";

/** The states of an item, from first to last. */
export const TODO_STATES = ["pending", "in_progress", "done"] as const;

export interface TodoItem {
  readonly text: string;
  readonly status: (typeof TODO_STATES)[number];
}

/**
 * The list that an entry sets; undefined for every other entry. Files may contain anything: invalid items are skipped.
 */
export function todoIn(entry: SessionEntry): readonly TodoItem[] | undefined {
  const result = resultIn(entry);
  if (result?.toolName !== "todo" || result.isError || entry.type !== "message") return undefined;
  const { details } = entry.message as { readonly details?: unknown };
  if (!isRecord(details) || !Array.isArray(details.items)) return undefined;
  return details.items.flatMap((item: unknown) => {
    if (!isRecord(item) || typeof item.text !== "string") return [];
    const status = TODO_STATES.find((state) => state === item.status);
    return status === undefined ? [] : [{ text: item.text, status }];
  });
}
