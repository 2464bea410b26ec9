/** What stands in a field, and where its cursor is, as the views want it. */
import { displayWidth, graphemesOf } from "../../view/internal.js";
import type { TextField } from "../questions/text-field.js";

interface TypedText {
  readonly text: string;
  /** In UTF-16 units. */
  readonly cursor: number;
}

export function typedText(field: TextField): TypedText {
  const { text, column } = field.draw(Number.MAX_SAFE_INTEGER);
  let cursor = 0;
  let used = 0;
  for (const { segment } of graphemesOf(text)) {
    if (used >= column) break;
    used += displayWidth(segment);
    cursor += segment.length;
  }
  return { text, cursor };
}
