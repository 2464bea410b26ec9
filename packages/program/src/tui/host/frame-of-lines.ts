/** Makes a frame from a view's lines. */

import type { Line } from "@bough/session/view/index.js";
import { cutLine } from "@bough/session/view/internal.js";
import type { Frame, Size } from "./panel.js";
import type { PanelHost } from "./panel-host.js";

/** Cuts lines that are too wide, and drops those that do not fit. */
export function frameOfLines(
  host: Pick<PanelHost, "theme" | "glyphs">,
  size: Size,
  { lines, cursor }: { readonly lines: readonly Line[]; readonly cursor?: Frame["cursor"] },
): Frame {
  const painted = lines
    .slice(0, size.height)
    .map((line) => host.theme.line(cutLine(line, size.width, host.glyphs.ellipsis)));
  const inside = cursor !== undefined && cursor.row < painted.length && cursor.column < size.width;
  return inside ? { lines: painted, cursor } : { lines: painted };
}
