/** Where the value of a setting comes from, in one word. */
import type { SettingSource } from "@bough/agent/project/index.js";

const FROM: Readonly<Record<SettingSource["from"], string>> = { project: "project", user: "yours", default: "default" };

/** `checkout`: from `.bough/settings.local.json`, which is not shared with the others who work on the project. */
export function settingSourceWord(source: SettingSource): string {
  if (source.file?.endsWith("settings.local.json") === true) return "checkout";
  return FROM[source.from];
}
