/** File changes in the form clients draw: old and new text. */
import type { ToolCallContent } from "@agentclientprotocol/sdk/unstable";
import type { FilePreview } from "@bough/agent/tool/index.js";

interface Piece {
  readonly line: number;
  readonly oldText: string;
  readonly newText: string;
}

/** The hunks of a unified diff, each as the text before and after. */
export function diffPieces(diff: string): readonly Piece[] {
  const pieces: { line: number; before: string[]; after: string[] }[] = [];
  for (const line of diff.split("\n")) {
    const head = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line);
    if (head !== null) {
      pieces.push({ line: Math.max(1, Number(head[1])), before: [], after: [] });
      continue;
    }
    const piece = pieces.at(-1);
    const sign = line.slice(0, 1);
    if (piece === undefined || !(sign === " " || sign === "-" || sign === "+")) continue;
    if (sign !== "+") piece.before.push(line.slice(1));
    if (sign !== "-") piece.after.push(line.slice(1));
  }
  return pieces.map(({ line, before, after }) => ({ line, oldText: before.join("\n"), newText: after.join("\n") }));
}

/** The changes of a unified diff; empty if it has no hunks. */
export function diffContent(path: string, diff: string): readonly ToolCallContent[] {
  return diffPieces(diff).map(({ oldText, newText }) => ({ type: "diff", path, oldText, newText }));
}

/** The change that a question is about, before it is made. */
export function previewContent(path: string, preview: FilePreview): readonly ToolCallContent[] {
  if (preview.kind === "change") return diffContent(path, preview.diff);
  return [{ type: "diff", path, oldText: preview.kind === "create" ? null : "", newText: preview.text }];
}
