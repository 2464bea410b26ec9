/** The name of a sub-agent: its task, in the best available words. */

import { type CustomEntry, Kind } from "../../../entry/index.js";
import { SUBAGENT_PROMPT_TYPE, SUBAGENT_TYPE } from "../../../entry/internal.js";
import { firstWords, isRecord } from "../../../text/index.js";
import { isConversation, type TreeSource } from "../../../tree/index.js";
import { callsIn, type Fields, textIn } from "../../transcript/read-content.js";
import { contentWords, MOST_WORDS } from "./content-words.js";

/** The most records between a sub-agent's entry and the first of its conversation. */
const RECORD_DISTANCE = 20;

/** The name of the sub-agent whose conversation starts at `first`; undefined if none does. */
export function subagentName(source: TreeSource, first: number): string | undefined {
  const data = subagentAbove(source, first);
  if (data === undefined) return undefined;
  const meta = isRecord(data.meta) ? data.meta : {};
  const names = [
    () => meta.description,
    () => callDescription(source, data),
    () => meta.title,
    () => toldWords(source, first),
    () => meta.nickname,
  ];
  for (const name of names) {
    const words = firstWords(textIn(name()), MOST_WORDS);
    if (words !== "") return words;
  }
  return "(sub-agent)";
}

/** The data of a sub-agent's entry, if only records are between it and the start of a conversation. */
function subagentAbove(source: TreeSource, first: number): Fields | undefined {
  const { tree } = source;
  let at = first < 0 ? -1 : tree.parentOf(first);
  for (let steps = 0; at >= 0 && steps < RECORD_DISTANCE; steps++, at = tree.parentOf(at)) {
    if (isConversation(tree.kindOf(at))) return undefined;
    if (tree.kindOf(at) !== Kind.custom) continue;
    const { customType, data } = source.entryAt(at) as CustomEntry;
    if (customType === SUBAGENT_TYPE) return isRecord(data) ? data : {};
  }
  return undefined;
}

function callDescription(source: TreeSource, { callEntryId, toolCallId }: Fields): unknown {
  const at = typeof callEntryId === "string" ? source.tree.ids.findText(callEntryId) : -1;
  if (at < 0) return undefined;
  return callsIn(source.entryAt(at)).find(({ id }) => id === toolCallId)?.arguments.description;
}

function toldWords(source: TreeSource, first: number): string {
  const entry = source.entryAt(first);
  const isTold = entry.type === "custom_message" && entry.customType === SUBAGENT_PROMPT_TYPE;
  return isTold ? contentWords(entry.content) : "";
}
