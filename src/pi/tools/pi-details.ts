/** Details of our tools with the fields that pi's have. */
import { contentText } from "../../entry/index.js";
import { isRecord } from "../../text/index.js";
import { DEFAULT_MAX_BYTES, DEFAULT_MAX_LINES } from "../coding-agent/truncate.js";

/** Ours stay; pi's are added: `truncation` for what was cut, `patch` and `firstChangedLine` for an edit. */
export function piDetails(tool: string, details: unknown, content: unknown): unknown {
  if (!isRecord(details)) return details;
  if (tool === "edit" && typeof details.diff === "string") {
    const first = /^@@ -\d+(?:,\d+)? \+(\d+)/m.exec(details.diff)?.[1];
    return { ...details, patch: details.diff, ...(first === undefined ? {} : { firstChangedLine: Number(first) }) };
  }
  if (details.truncated !== true) return details;
  const text = contentText(content);
  const lines = text.split("\n").length;
  const bytes = Buffer.byteLength(text, "utf8");
  const number = (value: unknown, otherwise: number): number => (typeof value === "number" ? value : otherwise);
  const truncation = {
    content: text,
    truncated: true,
    truncatedBy: "bytes",
    totalLines: number(details.totalLines, lines),
    totalBytes: number(details.totalBytes, bytes),
    outputLines: lines,
    outputBytes: bytes,
    lastLinePartial: false,
    firstLineExceedsLimit: false,
    maxLines: DEFAULT_MAX_LINES,
    maxBytes: DEFAULT_MAX_BYTES,
  };
  return { ...details, truncation };
}
