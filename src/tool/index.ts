/** What the agent can do: read, write, edit, bash, grep, find, ls; permissions. */
export type { BashDetails, BashOptions } from "./bash-tool.js";
export { type CreateToolsOptions, createTools, TOOL_NAMES, type ToolName } from "./create-tools.js";
export { defineJsonTool, type JsonToolSpec } from "./define-json-tool.js";
export { defineTool, failureResult, type ToolSpec, textResult } from "./define-tool.js";
export type { FileChange } from "./file/file-change.js";
export type { FindDetails } from "./find-tool.js";
export type { GrepDetails } from "./grep-tool.js";
export type { LsDetails } from "./ls-tool.js";
export { type AllowedPath, allowedPath, askPermission, type PathUse } from "./path/allowed-path.js";
export { decidePermission, type PermissionCase, type PermissionRule } from "./permission/decide-permission.js";
export type { PermissionGrant } from "./permission/grants.js";
export { type CreatePermissionsOptions, createPermissions, type Permissions } from "./permission/permissions.js";
export { createTrust, type Trust, type TrustDecision } from "./permission/trust.js";
export { commandEnvironment } from "./process/command-environment.js";
export type { ReadDetails } from "./read-tool.js";
export { soundContent, soundResult } from "./sound-result.js";
export * from "./tool.js";
export { ToolFailure } from "./tool-failure.js";
