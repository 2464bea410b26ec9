/** The agent's tools, and the permissions they need. */
export type { BashDetails, BashOptions } from "./bash-tool.js";
export { type CreateToolsOptions, createTools, TOOL_NAMES } from "./create-tools.js";
export { defineJsonTool, type JsonToolSpec } from "./define-json-tool.js";
export { defineTool, failureResult, type InputSchema, type ToolSpec, textResult } from "./define-tool.js";
export type { EditorFiles } from "./file/editor-files.js";
export type { FileChange } from "./file/file-change.js";
export { type AllowedPath, allowedPath, askPermission } from "./path/allowed-path.js";
export type { PermissionGrant } from "./permission/grants.js";
export {
  type CommandSandbox,
  decidePermission,
  nextPermissionMode,
  type PermissionRule,
} from "./permission/mode-table.js";
export {
  type AskPermission,
  type CreatePermissionsOptions,
  createPermissions,
  type Permissions,
} from "./permission/permissions.js";
export type { CommandPattern } from "./permission/rule/read-command-pattern.js";
export {
  parseRule,
  RULE_EFFECTS,
  type Rule,
  type RuleEffect,
  type RuleSource,
  type RuleTarget,
} from "./permission/rule/rule.js";
export { ruleCoverage } from "./permission/rule/rule-coverage.js";
export type { ToolUseFacts } from "./permission/tool-rules.js";
export { createTrust, type Trust } from "./permission/trust.js";
export { commandEnvironment } from "./process/command-environment.js";
export { type Job, Jobs, type StartJobOptions } from "./process/jobs.js";
export type { ProcessEnd, RunProcessOptions } from "./process/run-process.js";
export { openSandbox } from "./sandbox/open-sandbox.js";
export { isPackageRegistry, packageRegistries } from "./sandbox/package-registries.js";
export type {
  Blocked,
  HostRequest,
  OpenSandboxOptions,
  RulePaths,
  Sandbox,
  SandboxedCommand,
  SandboxState,
  SandboxStatus,
  WrapOptions,
} from "./sandbox/sandbox.js";
export { closesOnlyExisting, rulePaths } from "./sandbox/sandbox-paths.js";
export { soundContent, soundResult } from "./sound-result.js";
export type { SpawnRequest } from "./spawn-request.js";
export { SPAWN_TOOL, type SpawnToolOptions, spawnTool } from "./spawn-tool.js";
export {
  type CheckedInput,
  type FilePreview,
  PERMISSION_MODES,
  type PermissionAnswer,
  type PermissionDecision,
  type PermissionMode,
  type PermissionQuestion,
  type PermissionRequest,
  type Tool,
  type ToolContext,
  type ToolResult,
  type ToolSessionEvent,
  type ToolUpdate,
} from "./tool.js";
export { ToolFailure } from "./tool-failure.js";
export type { LookupAll } from "./web/request-page.js";
export type { WebFetchOptions } from "./web-fetch-tool.js";
export type { WebSearchResult, WebSource } from "./web-search-result.js";
export type { WebSearchDetails } from "./web-search-tool.js";
