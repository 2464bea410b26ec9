import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DEFAULT_SETTINGS, mergeSettings } from "@bough/agent/project/index.js";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { commandSettings } from "./command-settings.js";

test("a setting that is cleared has its default again, in the file and in use; the others stay", () => {
  const home = tempFolder();
  const settings = commandSettings({ settings: mergeSettings({}), home });
  settings.change("model", "a/b");
  settings.change("retry.maxRetries", 7);
  settings.change("retry.maxDelayMs", 5);
  settings.change("files.onMove", "follow");
  expect(settings.current).toMatchObject({ model: "a/b", retry: { maxRetries: 7, maxDelayMs: 5 } });
  for (const name of ["model", "retry.maxRetries", "files.onMove", "compaction.reserveTokens"])
    settings.change(name, undefined);
  const retry = { ...DEFAULT_SETTINGS.retry, maxDelayMs: 5 };
  expect(settings.current).toEqual({ ...DEFAULT_SETTINGS, retry, files: {} });
  expect(JSON.parse(readFileSync(join(home, "settings.json"), "utf8"))).toEqual({ retry: { maxDelayMs: 5 } });
});
