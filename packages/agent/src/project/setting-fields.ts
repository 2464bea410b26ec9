/** The settings as a list, derived from the schema, and the conversion of typed text to values. */
import { join } from "node:path";
import { readTextFile } from "@bough/session/log/index.js";
import { isRecord, parsedJson } from "@bough/session/text/index.js";
import { z } from "zod";
import { isOwnLocalText } from "./own-local-settings.js";
import { localSettingsFile } from "./permission-rules.js";
import { DEFAULT_SANDBOX } from "./sandbox-choice.js";
import { DEFAULT_SETTINGS, readSettings, type SettingsPlace } from "./settings.js";
import { SettingsError } from "./settings-error.js";
import { TRUSTED_ONLY, USER_ONLY } from "./settings-file.js";
import { settingsFileSchema } from "./settings-schema.js";

export interface SettingField {
  /** The name in messages and on the command line, such as `compaction.enabled`. */
  readonly name: string;
  /** `object`, which includes lists of objects, can only be edited in the file. */
  readonly kind: "text" | "number" | "boolean" | "choice" | "list" | "object";
  /** For `choice` and `boolean`: the values as typed. */
  readonly choices: readonly string[];
  readonly description: string;
  /** Which files it is read from: any, a project's only if it is trusted, or only the user's own. */
  readonly counts: "any" | "trusted" | "yours";
  /** The default. */
  readonly standard: unknown;
  /** For error messages, such as "Expected a whole number from 0 to 20". */
  readonly expected: string;
}

export interface SettingSource {
  readonly value: unknown;
  readonly from: "project" | "user" | "default";
  readonly file?: string;
}

interface JsonField {
  readonly type?: string;
  /** A constant, or a section instead. */
  readonly anyOf?: readonly JsonField[];
  readonly const?: string;
  readonly enum?: readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonField>>;
  readonly items?: JsonField;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
}

/** Sections listed field by field; other objects have user-defined keys and are one row. */
const SECTIONS = ["compaction", "retry", "files", "toolSearch", "spawn"];

/** Defaults of settings that only front ends use. */
const FRONT_END_DEFAULTS: Readonly<Record<string, unknown>> = {
  thinkingLevel: "off",
  permissionMode: "ask",
  sandbox: DEFAULT_SANDBOX,
  doubleEscapeAction: "tree",
  branchSummary: "ask",
  branchSummaryMinTokens: 0,
  theme: "default",
  glyphs: "auto",
  mouse: true,
  reducedMotion: false,
  notifications: "auto",
  terminalTitle: true,
  "files.onMove": "ask",
  "files.onMerge": "ask",
  webSearch: "on",
  "spawn.maxRunning": 4,
  "spawn.maxPerPrompt": 20,
  "spawn.maxSteps": 50,
  "spawn.maxMinutes": 20,
  "spawn.maxDollars": 5,
  cacheWarming: "off",
  sync: "manual",
};

/** Expectations that the schema cannot express. */
const EXPECTED: Readonly<Record<string, string>> = {
  store: "the name of a store; to add one: bough store add <name> <address>",
};

let known: readonly SettingField[] | undefined;

/** All settings, in the order of the schema. */
export function settingFields(): readonly SettingField[] {
  known ??= [...fieldsOf((z.toJSONSchema(settingsFileSchema) as JsonField).properties ?? {})];
  return known;
}

/** The field with this name, such as `compaction.enabled`. */
export function settingField(name: string): SettingField | undefined {
  return settingFields().find((field) => field.name === name);
}

/** Parses a typed value. Throws `bad-settings` if it is invalid. */
export function readSettingValue(field: SettingField, typed: string): unknown {
  const text = typed.trim();
  const refuse = (): SettingsError =>
    new SettingsError(
      "bad-settings",
      `Invalid value for ${field.name}: ${text === "" ? "empty" : field.name === "store" ? "an address" : `"${text.slice(0, 60)}"`}`,
      {
        data: { name: field.name },
        hint: `${field.expected}.`,
      },
    );
  const value = typedValue(field, text);
  if (value === undefined || !isValidSetting(field.name, value)) throw refuse();
  return value;
}

/**
 * Whether this value is valid in a settings file. Stricter for `store`: rejects an address, which may contain a
 * password. In a file, an address is accepted as the name of an unknown store, so that no other store is used instead.
 */
export function isValidSetting(name: string, value: unknown): boolean {
  if (name === "store" && typeof value === "string" && /[:/\\@]/.test(value)) return false;
  const nested = name.split(".").reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
  return settingsFileSchema.safeParse(nested).success;
}

/** The current value of every setting, and where it comes from. */
export function settingSources(place: SettingsPlace & { readonly home: string }): ReadonlyMap<string, SettingSource> {
  const { settings, servers } = readSettings(place);
  // Names only: servers may have keys in their environment.
  const names = servers.length === 0 ? undefined : servers.map(({ name }) => name);
  const { projectTrusted: isTrusted } = place;
  const files = [
    { from: "project", file: localSettingsFile(place.cwd) },
    { from: "project", file: join(place.cwd, ".bough", "settings.json") },
    { from: "user", file: join(place.home, "settings.json") },
  ] as const;
  const read = files.map(({ from, file }, at) => {
    const text = textOf(file);
    // The user's own answers count even if the project is not trusted.
    const isOwn = from === "user" || (at === 0 && isOwnLocalText(text, place));
    return { content: parsedJson(text), isUsed: isOwn || isTrusted };
  });
  const sources = new Map<string, SettingSource>();
  for (const { name, counts, standard } of settingFields()) {
    const value = name === "mcpServers" ? names : valueAt(settings, name);
    const at = read.findIndex(({ content, isUsed }, i) => {
      const own = valueAt(content, name);
      const counted = files[i]?.from === "user" || counts === "any" || (counts === "trusted" && isUsed);
      return counted && own !== undefined && (name === "mcpServers" || isPartOf(own, value));
    });
    if (at < 0 && name === "mcpServers" && names !== undefined) {
      sources.set(name, { value, from: "project", file: join(place.cwd, ".mcp.json") });
      continue;
    }
    sources.set(
      name,
      at < 0 ? { value: value ?? standard, from: "default" } : { value, ...(files[at] as (typeof files)[number]) },
    );
  }
  return sources;
}

/** Files add to each other in some settings, such as rules: then each of them has only a part of the value. */
function isPartOf(part: unknown, whole: unknown): boolean {
  if (Array.isArray(part) && Array.isArray(whole)) {
    const items = new Set(whole.map((item) => JSON.stringify(item)));
    return part.every((item) => items.has(JSON.stringify(item)));
  }
  if (isRecord(part) && isRecord(whole)) return Object.entries(part).every(([key, one]) => isPartOf(one, whole[key]));
  return JSON.stringify(part) === JSON.stringify(whole);
}

function valueAt(holder: unknown, name: string): unknown {
  let value = holder;
  for (const key of name.split(".")) value = (value as Readonly<Record<string, unknown>> | null | undefined)?.[key];
  return value;
}

function* fieldsOf(properties: Readonly<Record<string, JsonField>>, section?: string): Generator<SettingField> {
  for (const [key, field] of Object.entries(properties)) {
    if (section !== undefined || !SECTIONS.includes(key)) {
      yield fieldFrom(section === undefined ? key : `${section}.${key}`, field);
      continue;
    }
    const words = field.anyOf?.flatMap((one) => one.const ?? []);
    if (words !== undefined) yield fieldFrom(key, { ...field, enum: words });
    for (const one of field.anyOf ?? [field]) yield* fieldsOf(one.properties ?? {}, key);
  }
}

function fieldFrom(name: string, field: JsonField): SettingField {
  const [section = name] = name.split(".");
  const has = (names: readonly string[]): boolean => names.includes(section);
  return {
    name,
    kind: kindOf(field),
    choices: field.enum ?? (field.type === "boolean" ? ["true", "false"] : []),
    description: field.description ?? "",
    counts: has(USER_ONLY) ? "yours" : has(TRUSTED_ONLY) ? "trusted" : "any",
    standard: valueAt(DEFAULT_SETTINGS, name) ?? FRONT_END_DEFAULTS[name],
    expected: `Expected ${EXPECTED[name] ?? expectation(field)}`,
  };
}

function kindOf({ type, enum: choices, items }: JsonField): SettingField["kind"] {
  if (choices !== undefined) return "choice";
  if (type === "boolean") return "boolean";
  if (type === "integer" || type === "number") return "number";
  if (type === "string") return "text";
  return type === "array" && items?.type === "string" ? "list" : "object";
}

function expectation(field: JsonField): string {
  switch (kindOf(field)) {
    case "choice":
      return field.enum?.length === 1 ? `${field.enum[0]}` : `one of ${field.enum?.join(", ")}`;
    case "boolean":
      return "true or false";
    case "number": {
      const least = field.exclusiveMinimum === undefined ? `from ${field.minimum}` : `above ${field.exclusiveMinimum}`;
      const { maximum = Number.MAX_SAFE_INTEGER } = field;
      const most = maximum === Number.MAX_SAFE_INTEGER ? "" : ` to ${maximum}`;
      return `${field.type === "integer" ? "a whole number" : "a number"} ${least}${most}`;
    }
    case "text":
      return "text";
    case "list":
      return "names separated by commas";
    case "object":
      return "an object; edit the file";
  }
}

function typedValue(field: SettingField, text: string): unknown {
  switch (field.kind) {
    case "boolean": {
      const word = text.toLowerCase();
      if (["true", "yes", "on"].includes(word)) return true;
      return ["false", "no", "off"].includes(word) ? false : undefined;
    }
    case "number": {
      // Accepts large numbers such as "16k" and "16_384".
      const match = /^(\d[\d_,]*(?:\.\d+)?)(k?)$/i.exec(text);
      if (match === null) return undefined;
      return Number((match[1] as string).replace(/[_,]/g, "")) * (match[2] === "" ? 1 : 1000);
    }
    case "choice":
      return field.choices.find((choice) => choice.toLowerCase() === text.toLowerCase());
    case "list":
      return text
        .split(",")
        .map((item) => item.trim())
        .filter((item) => item !== "");
    case "text":
      return text === "" ? undefined : text;
    case "object":
      return undefined;
  }
}

function textOf(file: string): string {
  const read = readTextFile(file);
  // Problems are reported when the settings are read for use.
  return read.kind === "text" ? read.text : "";
}
