/** Changes one setting in the user's own file. */
import { join } from "node:path";
import { changeFile } from "@bough/session/log/index.js";
import { errorText, isRecord, settingsValue } from "@bough/session/text/index.js";
import { isValidSetting, settingField } from "./setting-fields.js";
import { SettingsError } from "./settings-error.js";

export interface SettingChange {
  /** `$BOUGH_HOME` */
  readonly home: string;
  /** Such as `theme` or `compaction.enabled`. */
  readonly name: string;
  /** Undefined removes the setting, which restores the default. */
  readonly value: unknown;
}

export interface WrittenSetting {
  /** The file that was written. */
  readonly file: string;
}

/**
 * Writes one setting to `settings.json`, which is replaced atomically by a private file; everything else in it stays,
 * including unknown fields. Throws `bad-settings` for an unknown setting, an invalid value, and a file that is not a
 * JSON object, which is not changed.
 */
export function writeSetting({ home, name, value }: SettingChange): WrittenSetting {
  const field = settingField(name);
  if (field === undefined) {
    throw new SettingsError("bad-settings", `Unknown setting ${name}`, {
      data: { name },
      hint: "/settings lists them all.",
    });
  }
  if (value !== undefined && !isValidSetting(name, value)) {
    throw new SettingsError("bad-settings", `Invalid value for ${name}`, {
      data: { name },
      hint: `${field.expected}.`,
    });
  }
  const file = join(home, "settings.json");
  try {
    changeFile(
      file,
      (before) => changed(before, { file, name, value }),
      (reason) => notChanged(file, reason),
    );
    return { file };
  } catch (error) {
    if (error instanceof SettingsError) throw error;
    throw new SettingsError("bad-settings", `The setting could not be saved: ${errorText(error)}`, {
      data: { file },
      hint: "Check that the file is writable.",
      cause: error,
    });
  }
}

function changed(
  before: string | undefined,
  { file, name, value }: { readonly file: string; readonly name: string; readonly value: unknown },
): string | undefined {
  const settings = before === undefined || before.trim() === "" ? {} : parsed(before, file);
  const keys = name.split(".");
  const last = keys.pop() as string;
  let holder = settings;
  for (const key of keys) {
    const inner = holder[key];
    if (inner !== undefined && !isRecord(inner)) throw notChanged(file, `\`${key}\` is not an object`);
    const copy: Record<string, unknown> = { ...inner };
    holder[key] = copy;
    holder = copy;
  }
  if (value === undefined) {
    if (!(last in holder)) return before;
    delete holder[last];
    const [section] = keys;
    if (section !== undefined && Object.keys(holder).length === 0) delete settings[section];
  } else holder[last] = value;
  return `${JSON.stringify(settings, null, indentOf(before))}\n`;
}

function parsed(text: string, file: string): Record<string, unknown> {
  const read = settingsValue(text);
  if (read.kind === "unusable") throw notChanged(file, `it is ${read.reason}`);
  const { value } = read;
  if (!isRecord(value)) throw notChanged(file, "it is not a JSON object");
  return { ...value };
}

/** The user's indentation, taken from the first indented line. */
function indentOf(text: string | undefined): string {
  return /^([ \t]+)\S/m.exec(text ?? "")?.[1] ?? "  ";
}

function notChanged(file: string, reason: string): SettingsError {
  return new SettingsError("bad-settings", `${file} was not changed, because ${reason}`, {
    data: { file },
    hint: "Correct the file, or move it away, and try again.",
  });
}
