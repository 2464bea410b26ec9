/** Builds a compaction's summary from the model's text, pins and files, and splits it again. */
import type { FileDetails } from "@bough/session/entry/index.js";
import { fileBlocks } from "./file-tracking.js";

const PINNED_HEADING = "## Pinned (verbatim)";
/** The heading in summaries of older sessions. */
const EARLIER_PINNED_HEADING = "## Pinned, word for word";

/** The whole summary: the model's words, pins it does not repeat verbatim, and the files. */
export function joinSummary(
  body: string,
  kept: { readonly pins: readonly string[]; readonly files: FileDetails },
): string {
  const missing = kept.pins.filter((pin) => !body.includes(pin));
  const parts = [body.trim()];
  if (missing.length > 0) {
    parts.push([PINNED_HEADING, ...missing.map((pin) => `<pinned>\n${pin}\n</pinned>`)].join("\n\n"));
  }
  const files = fileBlocks(kept.files);
  if (files !== "") parts.push(files);
  return parts.join("\n\n");
}

/**
 * What a model wrote, without pins and files: a model that updates a summary would copy these with mistakes, and they are
 * added again anyway. Summaries of other programs end with the same file blocks.
 */
export function summaryBody(summary: string): string {
  let end = summary.length;
  for (const mark of [PINNED_HEADING, EARLIER_PINNED_HEADING, "<read-files>", "<modified-files>"]) {
    const at = summary.startsWith(mark) ? 0 : summary.indexOf(`\n${mark}`);
    if (at >= 0 && at < end) end = at;
  }
  return summary.slice(0, end).trim();
}
