/** For other rooms only. */
export { IgnoreRules } from "./scan/ignore-rules.js";
export { contentsOf } from "./steps-between.js";
export { setBlobSource } from "./store/blob-source.js";
export { textContent } from "./text-content.js";
