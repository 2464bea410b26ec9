/** What other rooms use of the terminal, and programs do not. */
export { laidOver } from "./extension/painted-line.js";
export { copyText } from "./terminal/clipboard.js";
export { highlightLines } from "./theme/highlight.js";
