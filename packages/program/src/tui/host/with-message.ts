/** Draws a panel's message over as many of its last lines as needed. */
import type { Notice } from "@bough/session/text/index.js";
import { type Line, span } from "@bough/session/view/index.js";
import { saidRows } from "./said-rows.js";

/** A message takes a row or two, never the whole window. */
const MOST_LINES = 3;

export function withMessage(
  lines: readonly Line[],
  message: string | Notice | undefined,
  { width, height }: { readonly width: number; readonly height: number },
): readonly Line[] {
  if (message === undefined || message === "") return lines;
  const most = Math.max(1, Math.min(MOST_LINES, Math.floor(height / 2)));
  const said = saidRows(message, { width: Math.max(1, width - 2), most });
  const room = Math.max(0, Math.min(lines.length, height) - said.length);
  // A short list grows by the message; a full one gives up its last lines.
  const kept = lines.length + said.length - 1 <= height ? Math.max(room, lines.length - 1) : room;
  return [...lines.slice(0, kept), ...said.map((line): Line => [span(` ${line}`, "strong")])];
}
