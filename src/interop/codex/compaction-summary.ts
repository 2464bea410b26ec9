/** The words of a compaction. */
import { isObject, stringIn } from "../foreign-lines.js";
import { isInjected } from "./injected-context.js";
import { readContent, textOfBlocks } from "./item-content.js";
import type { JsonObject } from "./rollout-record.js";

const UNREADABLE_SUMMARY = "(The summary is encrypted. Only the provider that wrote it can read it.)";

/** The summary's own field, or the last thing said in the history that takes the place of the old one. */
export function summaryIn(payload: JsonObject): string {
  const own = stringIn(payload.message);
  if (own !== undefined && own !== "") return own;
  const history = Array.isArray(payload.replacement_history) ? payload.replacement_history.filter(isObject) : [];
  for (const item of [...history].reverse()) {
    const text = textOfBlocks(readContent(item.content).blocks);
    if (text !== "" && item.role !== "developer" && !isInjected(text)) return text;
  }
  return UNREADABLE_SUMMARY;
}
