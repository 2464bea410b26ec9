/** Reads and merges settings from `$BOUGH_HOME`, the project and this checkout, and reports what was not used. */
import { join } from "node:path";
import { type ReadTextOptions, readTextFile } from "@bough/session/log/index.js";
import { boughHome } from "@bough/session/session/index.js";
import { defined, settingsValue } from "@bough/session/text/index.js";
import type { z } from "zod";
import { type ConfiguredServer, configuredServers, type ServerSource, type ServersOfFile } from "../mcp/index.js";
import type { Rule, RuleSource } from "../tool/index.js";
import { readServersFile } from "./mcp-servers.js";
import { isOwnLocalText } from "./own-local-settings.js";
import { localSettingsFile, ruleProblems, rulesIn, unreadableRules } from "./permission-rules.js";
import { ownReading, projectReading } from "./project-files.js";
import { type SettingsFile, TRUSTED_ONLY, USER_ONLY } from "./settings-file.js";
import { settingsFileSchema } from "./settings-schema.js";

export interface CompactionSettings {
  readonly enabled: boolean;
  /** Tokens kept free for the answer: compaction runs when the context exceeds the window minus this. */
  readonly reserveTokens: number;
  /** Approximate number of tokens kept verbatim at the end of the path. */
  readonly keepRecentTokens: number;
}

export interface RetrySettings {
  /** Maximum number of retries of a step. */
  readonly maxRetries: number;
  /** Delay before the first retry; doubled for each further one. */
  readonly baseDelayMs: number;
  /** The maximum delay. If a provider asks for a longer one, the step is not retried. */
  readonly maxDelayMs: number;
  /** How long a model may be silent before the step fails; 0 means no limit. */
  readonly idleTimeoutMs?: number;
}

/** Effective settings: those from files, with defaults for everything the agent itself needs. */
export interface Settings extends Omit<SettingsFile, "compaction" | "retry"> {
  readonly compaction: CompactionSettings;
  readonly retry: RetrySettings;
}

export interface SettingsProblem {
  readonly file: string;
  /** The field, such as `compaction.reserveTokens`; undefined for the file as a whole. */
  readonly field?: string;
  /** A sentence on what is wrong and what was expected. */
  readonly message: string;
  /** `error`: the field (or the whole file) is invalid. `warning`: the field is ignored. */
  readonly level: "error" | "warning";
}

/** The settings without any file. */
export const DEFAULT_SETTINGS: Settings = {
  compaction: { enabled: true, reserveTokens: 16_384, keepRecentTokens: 20_000 },
  retry: { maxRetries: 3, baseDelayMs: 2_000, maxDelayMs: 60_000, idleTimeoutMs: 120_000 },
};

export interface SettingsPlace {
  readonly cwd: string;
  readonly home?: string;
  /** Whether the user trusts this project; otherwise its potentially harmful settings are ignored. */
  readonly projectTrusted: boolean;
}

/** The effective settings, and the problems of their files. */
export interface ReadSettings {
  readonly settings: Settings;
  readonly problems: readonly SettingsProblem[];
  /** The permission rules of all files, each with its source. */
  readonly rules: readonly Rule[];
  /** The MCP servers of all files and of the project's `.mcp.json`, sorted by name. */
  readonly servers: readonly ConfiguredServer[];
}

/**
 * Reads and merges the files: the project's override the user's, and `.bough/settings.local.json` overrides both.
 * Invalid fields are reported and ignored, never fatal; except that unparsable permission rules fail closed.
 */
export function readSettings({ cwd, home = boughHome(), projectTrusted }: SettingsPlace): ReadSettings {
  const problems: SettingsProblem[] = [];
  const ownPath = join(home, "settings.json");
  const own = readFile({ kind: "user", file: ownPath }, { problems, reading: ownReading(home) });
  const reading = projectReading({ cwd, home, trusted: projectTrusted });
  const theirs = [
    readFile({ kind: "project", file: join(cwd, ".bough", "settings.json") }, { problems, reading }),
    readFile({ kind: "local", file: localSettingsFile(cwd) }, { problems, reading }),
  ];
  // The user's own answers count even if the project is not trusted.
  const isTrusted = ({ source, text }: ReadSettingsFile) =>
    projectTrusted || (source.kind === "local" && text !== undefined && isOwnLocalText(text, { cwd, home }));
  for (const one of theirs) {
    const { file, settings } = one;
    const refuse = (fields: readonly (keyof SettingsFile)[], message: string) => {
      for (const field of fields) {
        if (settings[field] === undefined) continue;
        delete settings[field];
        problems.push({ file, field, message, level: "warning" });
      }
    };
    refuse(USER_ONLY, `Not used: only allowed in ${ownPath}`);
    if (!isTrusted(one)) refuse(TRUSTED_ONLY, "Not used, because this project is not trusted");
  }
  const trustedFiles = [own, ...theirs.filter(isTrusted)];
  for (const { file, rules } of trustedFiles) problems.push(...ruleProblems(rules, file));
  const shared = readServersFile({ cwd, home, trusted: projectTrusted });
  problems.push(...shared.problems);
  const [user, ...others] = [own, ...theirs].map(({ source, settings }) => ({
    source,
    servers: settings.mcpServers ?? {},
  }));
  const found = configuredServers([user as ServersOfFile, shared, ...others]);
  for (const { file = ownPath, field, message } of found.problems)
    problems.push({ file, field, message, level: "error" });
  const { mcpServers: _, ...settings } = mergeSettings(own.settings, ...theirs.map((one) => one.settings));
  return { settings, problems, rules: trustedFiles.flatMap(({ rules }) => rules), servers: found.servers };
}

/**
 * Later files override earlier ones: field by field in `compaction`, `retry`, `files`, `toolSearch` and `spawn`, as a whole elsewhere.
 * Rules are added up.
 */
export function mergeSettings(...files: readonly SettingsFile[]): Settings {
  let merged: Settings = DEFAULT_SETTINGS;
  for (const { compaction, retry, permissions, files: recording, toolSearch, spawn, ...rest } of files) {
    const before = merged.files;
    const limits = merged.spawn;
    const isBoth = typeof before === "object" && typeof recording === "object";
    merged = {
      ...merged,
      ...defined(rest),
      files: isBoth ? { ...before, ...defined(recording) } : (recording ?? before),
      spawn:
        typeof limits === "object" && typeof spawn === "object" ? { ...limits, ...defined(spawn) } : (spawn ?? limits),
      permissions: permissions === undefined ? merged.permissions : addedRules(merged.permissions, permissions),
      compaction: { ...merged.compaction, ...defined(compaction) } as CompactionSettings,
      toolSearch: toolSearch === undefined ? merged.toolSearch : { ...merged.toolSearch, ...defined(toolSearch) },
      retry: { ...merged.retry, ...defined(retry) } as RetrySettings,
    };
  }
  return merged;
}

function addedRules(
  before: NonNullable<SettingsFile["permissions"]> = {},
  { allow = [], ask = [], deny = [] }: NonNullable<SettingsFile["permissions"]>,
): NonNullable<SettingsFile["permissions"]> {
  return {
    allow: [...(before.allow ?? []), ...allow],
    ask: [...(before.ask ?? []), ...ask],
    deny: [...(before.deny ?? []), ...deny],
  };
}

interface ReadFileOptions {
  readonly problems: SettingsProblem[];
  readonly reading: ReadTextOptions;
}

interface ReadSettingsFile {
  readonly file: string;
  readonly source: ServerSource;
  readonly settings: SettingsFile;
  readonly rules: readonly Rule[];
  readonly text?: string;
}

function readFile(
  source: RuleSource & ServerSource & { readonly file: string },
  { problems, reading }: ReadFileOptions,
): ReadSettingsFile {
  const { file } = source;
  const read = readTextFile(file, reading);
  const unusable = (message: string, text: string): ReadSettingsFile => {
    problems.push({ file, message, level: "error" });
    // The file may contain a deny rule.
    const rules = text.includes('"permissions"') ? [unreadableRules(source, message)] : [];
    return { file, source, settings: {}, rules };
  };
  if (read.kind === "absent") return { file, source, settings: {}, rules: [] };
  if (read.kind === "unreadable") return unusable(`Not used: ${read.reason}`, "");
  const parsed = settingsValue(read.text);
  if (parsed.kind === "unusable") {
    return unusable(`${parsed.reason.slice(0, 1).toUpperCase()}${parsed.reason.slice(1)}`, read.text);
  }
  const { value } = parsed;
  return {
    file,
    source,
    settings: checkSettings(value, { file, problems }),
    rules: rulesIn(value, source),
    text: read.text,
  };
}

/**
 * Reports and removes only the unknown or invalid fields; if a required part of an object is missing, the whole object.
 * A file that is not an object is ignored completely.
 */
function checkSettings(
  value: unknown,
  { file, problems }: { readonly file: string; readonly problems: SettingsProblem[] },
): SettingsFile {
  const copy = structuredClone(value);
  const drop = (path: readonly PropertyKey[], message: string, level: SettingsProblem["level"]): void => {
    problems.push({ file, field: path.join("."), message, level });
  };
  for (;;) {
    const parsed = settingsFileSchema.safeParse(copy);
    if (parsed.success) return parsed.data;
    for (const issue of parsed.error.issues) {
      for (const key of issue.code === "unrecognized_keys" ? issue.keys : []) {
        drop([...issue.path, key], "Unknown setting, ignored", "warning");
        delete at(copy, issue.path)?.[key];
      }
    }
    // One at a time, because removing a list item shifts those after it.
    const issue = parsed.error.issues.find(({ code }) => code !== "unrecognized_keys");
    if (issue === undefined) continue;
    const { path } = issue;
    const found = path.length === 0 ? copy : at(copy, path.slice(0, -1))?.[String(path.at(-1))];
    const message = `${expectation(issue)}, found ${short(found)}`;
    if (path.length === 0) {
      problems.push({ file, message, level: "error" });
      return {};
    }
    drop(path, `Not used: ${message.slice(0, 1).toLowerCase()}${message.slice(1)}`, "error");
    remove(copy, found === undefined ? path.slice(0, -1) : path);
  }
}

/** Removes the value at a path; for an empty path, all fields. */
function remove(value: unknown, path: readonly PropertyKey[]): void {
  const last = path.at(-1);
  const holder = at(value, path.slice(0, -1));
  if (last === undefined)
    for (const key of Object.keys(value as object)) delete (value as Record<string, unknown>)[key];
  else if (Array.isArray(holder)) holder.splice(Number(last), 1);
  else if (holder !== undefined) delete holder[String(last)];
}

function at(value: unknown, path: readonly PropertyKey[]): Record<string, unknown> | undefined {
  let current: unknown = value;
  for (const key of path) current = (current as Record<PropertyKey, unknown> | undefined)?.[key];
  return typeof current === "object" && current !== null ? (current as Record<string, unknown>) : undefined;
}

function expectation(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case "invalid_value":
      return `Expected one of ${issue.values.map((value) => JSON.stringify(value)).join(", ")}`;
    case "invalid_type":
      return `Expected ${issue.expected === "int" ? "a whole number" : (WITH_ARTICLE[issue.expected] ?? issue.expected)}`;
    case "too_small":
      if (issue.origin === "string") return "Expected text that is not empty";
      return `Expected ${issue.inclusive === false ? "more than" : "at least"} ${issue.minimum}`;
    case "too_big":
      return `Expected ${issue.inclusive === false ? "less than" : "at most"} ${issue.maximum}`;
    case "invalid_format":
      return issue.format === "url" ? "Expected an http or https address" : issue.message;
    default:
      return issue.message;
  }
}

const WITH_ARTICLE: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  boolean: "true or false",
  object: "an object",
  record: "an object",
  array: "a list",
};

/** Shortens a value for a message. Settings contain no secrets, so it may be shown. */
function short(value: unknown): string {
  const text = value === undefined ? "nothing" : JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}
