/** A frame from the lines of a view. */

import type { Line } from "@bough/session/view/index.js";
import { cutLine } from "@bough/session/view/internal.js";
import type { Frame, Size } from "./panel.js";
import type { PanelHost } from "./panel-host.js";

/** Lines that are too wide are cut, and what is too much at the end is omitted. */
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
