/** Draws a view's list as a frame, with the panel's message over its last lines. */
import type { Notice } from "@bough/session/text/index.js";
import type { DrawnList, LayoutOptions } from "@bough/session/view/internal.js";
import { frameOfLines } from "./frame-of-lines.js";
import type { Frame, Size } from "./panel.js";
import type { PanelHost } from "./panel-host.js";
import { withMessage } from "./with-message.js";

/** What every list layout receives. */
export function layoutOptions(host: PanelHost, { width, height }: Size): LayoutOptions {
  return { width, height, glyphs: host.glyphs, now: host.now(), hint: (actionId) => host.keys.hint(actionId) };
}

interface ListPicture {
  readonly drawn: DrawnList;
  readonly message?: string | Notice | undefined;
}

/** Put the real cursor on the selected row, which screen readers and magnifiers follow. */
export function listFrame(host: PanelHost, size: Size, { drawn, message }: ListPicture): Frame {
  const lines = withMessage(drawn.lines, message, size);
  const { cursorRow, cursorColumn = 0 } = drawn;
  return frameOfLines(host, size, {
    lines,
    cursor: cursorRow === undefined ? undefined : { row: cursorRow, column: cursorColumn },
  });
}
