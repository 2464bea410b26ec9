/** Rows and blocks to be drawn, without colours and without a DOM; the only tree renderer. Pure. */
export { ASCII_GLYPHS, type Glyphs, UNICODE_GLYPHS } from "./glyphs.js";
export { type Line, lineText, type Span, span, type Tone } from "./line.js";
export { cutToWidth, displayWidth, padToWidth } from "./text/display-width.js";
export { firstWords, withoutControls } from "./text/plain-words.js";
export { counted, grouped, longAge, shortAge, shortBytes, shortCost, shortCount } from "./text/short-amounts.js";
