/** The history that replaces the old one in a compaction: a summary, and the items kept with it. */
import { isRecord } from "@bough/session/text/index.js";
import { stringIn } from "../../foreign-lines.js";
import { isInjected } from "../injected-context.js";
import { readContent, textOfBlocks } from "../item-content.js";
import type { JsonObject } from "../rollout-record.js";

const UNREADABLE_SUMMARY = "(The summary is encrypted. Only the provider that wrote it can read it.)";
/** What Codex itself sends to the model in this case. */
const NO_SUMMARY = "(no summary available)";
/** The start of every summary that Codex requests from the model. */
const SUMMARY_OPENING = "Another language model started to solve this problem and produced a summary";

interface ReplacedHistory {
  readonly summary: string;
  /**
   * The items of the new history except the summary, in order. Undefined in older rollouts, which do not record them.
   */
  readonly items: readonly JsonObject[] | undefined;
}

/** Reads a `compacted` record. Ghost snapshots are not part of any history. */
export function replacedHistory(payload: JsonObject): ReplacedHistory {
  const message = stringIn(payload.message) ?? "";
  if (!Array.isArray(payload.replacement_history)) {
    return { summary: message === "" ? NO_SUMMARY : message, items: undefined };
  }
  const items = payload.replacement_history.filter(isRecord).filter(({ type }) => type !== "ghost_snapshot");
  const at = summaryIndex(items, message);
  const found = items[at];
  const text = found === undefined ? UNREADABLE_SUMMARY : textOfItem(found);
  return { summary: message === "" ? text : message, items: items.filter((_, index) => index !== at) };
}

/** The index of the item with the summary, or -1. */
function summaryIndex(items: readonly JsonObject[], message: string): number {
  const isMessage = (item: JsonObject): boolean =>
    item.role !== "developer" && textOfItem(item) !== "" && !isInjected(textOfItem(item));
  if (message !== "") {
    const exact = items.findLastIndex((item) => textOfItem(item) === message);
    return exact >= 0 ? exact : items.findLastIndex((item) => isMessage(item) && textOfItem(item).includes(message));
  }
  const named = items.findLastIndex((item) => isSummary(textOfItem(item)));
  if (named >= 0) return named;
  return items.some(isEncrypted) ? -1 : items.findLastIndex(isMessage);
}

export function isSummary(text: string): boolean {
  return text.startsWith(SUMMARY_OPENING);
}

function isEncrypted({ type }: JsonObject): boolean {
  return type === "compaction" || type === "compaction_summary" || type === "context_compaction";
}

function textOfItem(item: JsonObject): string {
  return textOfBlocks(readContent(item.content).blocks);
}
