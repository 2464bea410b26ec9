import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { storeSettings } from "@bough/workbench/store/internal.js";
import { expect, it } from "vitest";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { readSettings } from "./settings.js";

it.each([
  ["both", { store: "home", sync: "turn" }],
  ["an empty name", { store: "", sync: "live" }],
  ["values that do not fit", { store: 3, sync: "often" }],
  ["mistakes elsewhere in the file", { store: "home", sync: "off", retry: { maxRetries: "x" }, unknown: true }],
  ["a list", ["store"]],
  ["too many levels", { store: "home", keys: JSON.parse(`${"[".repeat(300)}${"]".repeat(300)}`) }],
])("stores read the same from the settings file as everything else: %s", (_name, written) => {
  const home = tempFolder();
  const cwd = tempFolder();
  writeFileSync(join(home, "settings.json"), JSON.stringify(written));
  mkdirSync(join(cwd, ".bough"));
  writeFileSync(join(cwd, ".bough", "settings.json"), JSON.stringify({ store: "theirs", sync: "live" }));
  const { store, sync } = readSettings({ cwd, home, projectTrusted: true }).settings;
  expect({ store: undefined, sync: undefined, ...storeSettings(home) }).toEqual({ store, sync });
});
