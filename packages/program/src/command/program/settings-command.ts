/** /settings: show and change settings. */

import {
  readSettingValue,
  type SettingField,
  settingField,
  settingFields,
  settingSources,
} from "@bough/agent/project/index.js";
import { closestNames } from "@bough/session/text/index.js";
import { readArguments } from "../arguments.js";
import type { Command, CommandContext, CommandOutcome } from "../command.js";
import { CommandError } from "../command-error.js";
import { choices, matching } from "../completions.js";
import { shownOr } from "../outcome.js";
import { SENTENCES } from "../sentences.js";
import { settingSourceWord } from "./setting-source-word.js";

/** Words people look for. */
const OTHER_NAMES: Readonly<Record<string, string>> = { summary: "branchSummary", escape: "doubleEscapeAction" };

/** The agent reads these at startup; everything else takes effect at once. */
const AT_START = [
  "files",
  "model",
  "thinkingLevel",
  "permissionMode",
  "compaction",
  "retry",
  "tools",
  "extensions",
  "models",
];
/** The only part of `files` that takes effect at once. */
const AT_ONCE = ["files.onMove", "files.onMerge"];

export const SETTINGS_COMMAND: Command = {
  name: "settings",
  group: "program",
  usage: "[name] [value]",
  summary: "Show and change settings",
  details:
    "With a name and a value, changes the setting in your settings file. Says which changes need a restart. Without arguments, lists all settings.",
  complete(_context, typed) {
    const [name, ...rest] = typed.split(/\s+/);
    if (rest.length === 0) {
      const fields = settingFields().map((field) => ({ value: field.name, description: field.description }));
      return matching(fields, typed);
    }
    return choices(fieldNamed(name ?? "")?.choices ?? [], typed);
  },
  async run(context, args) {
    const { words } = readArguments(args);
    const [name, ...rest] = words;
    const field = name === undefined ? undefined : requireField(name);
    if (field !== undefined && rest.length > 0) return changed(context, field, rest.join(" "));
    return shownOr(context, { screen: "settings", name: field?.name }, () => settingsListing(context, field));
  },
};

function changed(context: CommandContext, field: SettingField, typed: string): CommandOutcome {
  const value = readSettingValue(field, typed);
  const { name } = field;
  context.settings.change(name, value);
  const isLater = AT_START.includes(name.split(".")[0] as string) && !AT_ONCE.includes(name);
  const counts = isLater ? "after a restart" : "now";
  return { kind: "done", ...SENTENCES.setting(name, JSON.stringify(value), counts), data: { name, value } };
}

function settingsListing(context: CommandContext, only: SettingField | undefined): CommandOutcome {
  const { settings, home, cwd } = context;
  // The project's settings count if they are in use.
  const places = [true, false].map((projectTrusted) => settingSources({ home, cwd, projectTrusted }));
  const listed = (only === undefined ? settingFields() : [only]).map((field) => {
    const value = field.name
      .split(".")
      .reduce<unknown>(
        (holder, key) => (holder as Readonly<Record<string, unknown>> | undefined)?.[key],
        settings.current,
      );
    const used = value ?? field.standard ?? null;
    const found = places
      .map((sources) => sources.get(field.name) ?? { value: field.standard, from: "default" as const })
      .find(({ value }) => JSON.stringify(value ?? null) === JSON.stringify(used));
    // A flag, or a file that was changed after the start, differs from what is in use.
    const from = found === undefined ? "this run" : settingSourceWord(found);
    return { name: field.name, value: used, from, description: field.description };
  });
  const lines = listed.map(
    ({ name, value, from, description }) =>
      `  ${name}  ${value === null ? "not set" : `${JSON.stringify(value)} (${from})`}  ${description}`,
  );
  return { kind: "done", message: lines.join("\n"), data: { settings: listed } };
}

function requireField(name: string): SettingField {
  const field = fieldNamed(name);
  if (field !== undefined) return field;
  const near = closestNames(
    name,
    settingFields().map((known) => known.name),
  );
  throw new CommandError("wrong-arguments", `Unknown setting ${name}`, {
    hint: near.length === 0 ? "/settings lists them all." : `Closest: ${near.join(" ")}`,
  });
}

function fieldNamed(name: string): SettingField | undefined {
  const wanted = (OTHER_NAMES[name] ?? name).toLowerCase();
  return settingField(name) ?? settingFields().find((field) => field.name.toLowerCase() === wanted);
}
