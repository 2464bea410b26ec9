/** The file changes of a step, in a session that contains the diffs: an export. */
import { type CustomEntry, FILES_TYPE } from "../../entry/index.js";
import { counted, isRecord, visibleText } from "../../text/index.js";
import type { FilesBlock } from "./block.js";
import { blockStart, textIn } from "./read-content.js";

/** Undefined for all other entries, and for a record without diffs, whose step shows what it did. */
export function filesBlock(entry: CustomEntry): FilesBlock | undefined {
  if (entry.customType !== FILES_TYPE || !isRecord(entry.data)) return undefined;
  const { diffs, by, tool, moreFiles } = entry.data;
  if (!Array.isArray(diffs)) return undefined;
  const files = diffs.filter(isRecord).map((diff) => ({
    title: visibleText(textIn(diff.title), { newlines: "escape" }).text,
    diff: textIn(diff.diff),
    moreLines: countIn(diff.moreLines),
  }));
  const more = countIn(moreFiles);
  if (files.length + more === 0) return undefined;
  const who = typeof tool === "string" ? ` by ${textIn(tool)}` : by === "person" ? " by hand" : "";
  const what = by === "restore" ? "restored" : `changed${who}`;
  return {
    kind: "files",
    ...blockStart(entry, "files"),
    title: `${counted(files.length + more, "file")} ${what}`,
    files,
    moreFiles: more,
  };
}

function countIn(value: unknown): number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : 0;
}
