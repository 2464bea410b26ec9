/** What other rooms use of the terminal, and programs do not. */
export { copyText } from "./terminal/clipboard.js";
export { highlightLines } from "./theme/highlight.js";
