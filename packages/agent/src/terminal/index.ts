/** For everything that paints lines for a terminal: safe lines, cut lines, colored code, and the clipboard. */
export { clipboardProgram, copyText } from "./clipboard.js";
export { fitted } from "./fitted-line.js";
export { highlightLines } from "./highlight.js";
export type { PaintTone } from "./paint-tone.js";
export { overlaid, paintedWidth, safeFitted, safePainted, withoutStyles } from "./painted-line.js";
export { onlyStyles, STYLE } from "./styled-text.js";
