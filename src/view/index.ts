/** Rows and blocks to be drawn, without colours and without a DOM; the only tree renderer. Pure. */

export { cutLine, fitLine, lineWidth, padLine, rule, selectLine } from "./fit-line.js";
export { ASCII_GLYPHS, type Glyphs, UNICODE_GLYPHS } from "./glyphs.js";
export { type Hint, type HintOf, hintLine } from "./hints.js";
export { type Line, lineText, type Span, span, type Tone } from "./line.js";
export { type Cell, type FramedList, frameList, tableRow } from "./list-frame.js";
export { type DrawnList, type LayoutOptions, scrolledTop } from "./list-layout.js";
export { cutToWidth, displayWidth, padToWidth } from "./text/display-width.js";
export { firstWords, withoutControls } from "./text/plain-words.js";
export { counted, grouped, longAge, shortAge, shortBytes, shortCost, shortCount } from "./text/short-amounts.js";
export { wrapWords } from "./text/wrap-words.js";
export type * from "./transcript/block.js";
export { blockTitle } from "./transcript/block-title.js";
export { type BlockFinder, entryBlocks } from "./transcript/entry-blocks.js";
export { finderAt, pathBlocks } from "./transcript/path-blocks.js";
export { toolTitle } from "./transcript/tool-title.js";
export { type MarkdownOptions, transcriptMarkdown } from "./transcript/transcript-markdown.js";
