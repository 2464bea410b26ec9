/** Settings in use, and how a command changes one. */

import type { Settings } from "@bough/agent/project/index.js";
import { mergeSettings, type SettingsFile, writeSetting } from "@bough/agent/project/index.js";
import { isRecord } from "@bough/session/text/index.js";

export interface CommandSettings {
  /** What is in use now, changes of this run included. */
  readonly current: Settings;
  /** In use from now on, and written to the user's own file. Throws `bad-settings`; then nothing changed. */
  change(name: string, value: unknown): void;
}

interface CommandSettingsOptions {
  /** What the agent started with. */
  readonly settings: Settings;
  readonly home: string;
  /** Notifies listeners that cache a setting. */
  readonly onChange?: (name: string, value: unknown) => void;
}

/** Starts from the current settings. The agent reads most settings only at startup; front ends ask here. */
export function commandSettings({ settings, home, onChange }: CommandSettingsOptions): CommandSettings {
  let current = settings;
  return {
    get current() {
      return current;
    },
    change(name, value) {
      writeSetting({ home, name, value });
      const keys = name.split(".");
      const change = keys.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
      current =
        value === undefined
          ? mergeSettings(without({ ...current }, keys) as SettingsFile)
          : mergeSettings(current as SettingsFile, change as SettingsFile);
      onChange?.(name, value);
    },
  };
}

type Fields = Readonly<Record<string, unknown>>;

/** Copies everything on the path to the key, without the key. */
function without(holder: Fields, [key = "", ...rest]: readonly string[]): Fields {
  const { [key]: inner, ...others } = holder;
  return rest.length > 0 && isRecord(inner) ? { ...others, [key]: without(inner, rest) } : others;
}
