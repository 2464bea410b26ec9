/** Exports for Bough's other rooms only. */

export { InvalidInput } from "./explain-input.js";
export { fileChange, filePreview } from "./file/file-change.js";
export { fileKind } from "./file/file-kind.js";
export { planEdits } from "./file/plan-edits.js";
export { matchesStar } from "./permission/rule/mcp-pattern.js";
export { serverToolName } from "./permission/rule/server-tool-name.js";
export { CommandOutput } from "./process/command-output.js";
export { commandShell } from "./process/command-shell.js";
export { runProcess, stopGroup } from "./process/run-process.js";
export { addressKind } from "./web/public-address.js";
