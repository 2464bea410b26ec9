/** For other rooms only. */
export { forgetRoot } from "./files-root.js";
export { gitPlace, ignoredFiles } from "./scan/git-files.js";
export { IgnoreRules } from "./scan/ignore-rules.js";
export { anchoredGlobs, Included } from "./scan/included.js";
export { isPathLeftOut } from "./scan/left-out.js";
export { runGit } from "./scan/run-git.js";
export { contentsOf } from "./steps-between.js";
export { setBlobSource } from "./store/blob-source.js";
export { textContent } from "./text-content.js";
