/** A panel of several keys that does not intercept what the user is typing. */

import { frameOfLines } from "../host/frame-of-lines.js";
import type { Frame, Panel, Size } from "../host/panel.js";
import type { PanelHost } from "../host/panel-host.js";
import { type TypingOptions, typingGuard } from "./typing-guard.js";

/**
 * Passes keys to the panel only once they are meant for it. While the editor has text, or was typed in just now, keys
 * and pastes go to the editor, whose text is shown below the panel. Without `typing`, returns the panel unchanged.
 */
export function guardedPanel(host: PanelHost, panel: Panel, typing: TypingOptions | undefined): Panel {
  if (typing === undefined) return panel;
  const guard = typingGuard(host, typing);
  return {
    name: panel.name,
    share: panel.share,
    keyScope: panel.keyScope,
    isQuestion: panel.isQuestion,
    disabledReason: (action) => panel.disabledReason?.(action),
    draw: (size) => {
      const { lines, cursor = 0 } = guard.below(size.width);
      if (lines.length === 0) return panel.draw(size);
      const height = size.height - lines.length;
      const above = height < 1 ? [] : panel.draw({ ...size, height }).lines;
      return withBelow(above, frameOfLines(host, size, { lines: lines.slice(-size.height) }), { size, cursor });
    },
    handleKey: (key) => guard.before(key) === "ignore" || panel.handleKey(key),
    handlePaste: (text) => {
      if (guard.isEditing()) guard.onPaste(text);
      else panel.handlePaste?.(text);
    },
    dispose: () => panel.dispose?.(),
  };
}

/** The cursor is in the last line, because that is where keys go. */
function withBelow(
  above: readonly string[],
  below: Frame,
  { size, cursor }: { readonly size: Size; readonly cursor: number },
): Frame {
  const lines = [...above, ...below.lines];
  return { lines, cursor: { row: lines.length - 1, column: Math.min(cursor, size.width - 1) } };
}
