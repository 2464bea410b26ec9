import { expect, test } from "vitest";
import { importedModules } from "./imported-modules.js";

test.each([
  ['import { z } from "zod";\nimport "./beside.js";', ["zod"]],
  ["import type { A } from 'bough/agent'\nexport * from `bough/tree`", ["bough/agent", "bough/tree"]],
  ['const { b } = await import("bough/session");\nrequire("node:fs")', ["bough/session", "node:fs"]],
  ['import(\n  "bough/entry",\n)', ["bough/entry"]],
  ['import("../x.js"); import("/abs.js");', []],
  ["export default () => {};", []],
  ["const name = 'bough/tree'; await import(name)", "unknown"],
  ["await import(`bough/" + "${" + "name}`)", "unknown"],
  ['await import("bough/" + name)', "unknown"],
])("the modules of %j", (script, names) => {
  expect(importedModules([script])).toEqual(names);
});
