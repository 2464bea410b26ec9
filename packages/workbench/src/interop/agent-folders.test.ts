import { join } from "node:path";
import { expect, test } from "vitest";
import { codexHome } from "./codex/codex-places.js";
import { geminiHome } from "./gemini/gemini-places.js";
import { opencodeData } from "./opencode/opencode-places.js";

const VARIABLES = { CODEX_HOME: "/c", GEMINI_CLI_HOME: "/g", XDG_DATA_HOME: "/x" };
const folders = (places: Parameters<typeof codexHome>[0]) => [
  codexHome(places),
  geminiHome(places),
  opencodeData(places),
];

test("variables that are given name the folders, with another home too", () => {
  const named = folders({ environment: VARIABLES });
  expect(named[0]).toBe("/c");
  expect(named[2]).toBe(join("/x", "opencode"));
  expect(folders({ home: "/h", environment: VARIABLES })).toEqual(named);
});

test("the variables of this process do not, with another home", () => {
  for (const folder of folders({ home: "/h" })) expect(folder.startsWith(join("/h", "."))).toBe(true);
});
