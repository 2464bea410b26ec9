/** Settings in use, and how a command changes one. */

import type { Settings } from "@bough/agent/project/index.js";
import { mergeSettings, type SettingsFile, writeSetting } from "@bough/agent/project/index.js";

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
      const change = name.split(".").reduceRight<unknown>((inner, key) => ({ [key]: inner }), value);
      current = mergeSettings(current as SettingsFile, change as SettingsFile);
      onChange?.(name, value);
    },
  };
}
