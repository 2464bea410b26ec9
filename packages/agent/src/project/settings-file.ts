/** The types of a settings file; the schema is in `settings-schema.ts`. */
import type { McpServerSettings } from "../mcp/index.js";
import type { ModelsSettings, ThinkingLevel } from "../model/index.js";
import type { PermissionMode } from "../tool/index.js";
import type { CacheWarming } from "./cache-warming.js";
import type { SandboxChoice } from "./sandbox-choice.js";
import { settingsFileSchema } from "./settings-schema.js";

/** The content of a settings file. All fields are optional; docs/reference/settings.md explains them. */
export interface SettingsFile {
  model?: string | undefined;
  thinkingLevel?: ThinkingLevel | undefined;
  permissionMode?: PermissionMode | undefined;
  permissions?: { allow?: string[] | undefined; ask?: string[] | undefined; deny?: string[] | undefined } | undefined;
  sandbox?: SandboxChoice | undefined;
  sandboxSockets?: string[] | undefined;
  doubleEscapeAction?: "tree" | "fork" | "none" | undefined;
  branchSummary?: "ask" | "never" | "always" | undefined;
  branchSummaryMinTokens?: number | undefined;
  theme?: "default" | "auto" | "dark" | "light" | undefined;
  glyphs?: "auto" | "unicode" | "ascii" | undefined;
  mouse?: boolean | undefined;
  reducedMotion?: boolean | undefined;
  notifications?: "auto" | "bell" | "off" | undefined;
  terminalTitle?: boolean | undefined;
  externalEditor?: string | undefined;
  keys?: Record<string, string[]> | undefined;
  compaction?:
    | { enabled?: boolean | undefined; reserveTokens?: number | undefined; keepRecentTokens?: number | undefined }
    | undefined;
  retry?:
    | {
        maxRetries?: number | undefined;
        baseDelayMs?: number | undefined;
        maxDelayMs?: number | undefined;
        idleTimeoutMs?: number | undefined;
      }
    | undefined;
  tools?: string[] | undefined;
  extensions?: string[] | undefined;
  files?:
    | "off"
    | {
        onMove?: "ask" | "follow" | "stay" | undefined;
        onMerge?: "ask" | "follow" | "stay" | undefined;
        include?: string[] | undefined;
        maxBytes?: number | undefined;
      }
    | undefined;
  attempts?: { max?: number | undefined; check?: string | undefined; setup?: string | undefined } | undefined;
  mcpServers?: Record<string, McpServerSettings> | undefined;
  spawn?:
    | "off"
    | {
        maxRunning?: number | undefined;
        maxPerPrompt?: number | undefined;
        maxSteps?: number | undefined;
        maxMinutes?: number | undefined;
        maxDollars?: number | undefined;
      }
    | undefined;
  webSearch?: "on" | "off" | undefined;
  toolSearch?: { maxTools?: number | undefined; maxPercent?: number | undefined } | undefined;
  store?: string | undefined;
  sync?: "off" | "manual" | "turn" | "live" | undefined;
  cacheWarming?: CacheWarming | undefined;
  models?: ModelsSettings | undefined;
}

/** The shape of a settings file, as a zod schema. */
export const settingsSchema: { readonly _zod: { readonly output: SettingsFile } } = settingsFileSchema;

/**
 * Never read from a project: a model server's URL decides who gets the key, an editor is a program to run, key bindings
 * are a personal habit, the sandbox protects against the project itself, and a project must not decide where sessions
 * go, nor spend money while nothing is asked.
 */
export const USER_ONLY = [
  "models",
  "externalEditor",
  "keys",
  "sandbox",
  "sandboxSockets",
  "cacheWarming",
  "store",
  "sync",
] as const satisfies readonly (keyof SettingsFile)[];

/**
 * Only read from a trusted project: with these, a downloaded folder could run its own code, skip permission questions,
 * or decide who gets the conversation.
 */
export const TRUSTED_ONLY = [
  "model",
  "permissionMode",
  "permissions",
  "tools",
  "extensions",
  "files",
  "mcpServers",
  "spawn",
  "attempts",
] as const satisfies readonly (keyof SettingsFile)[];
