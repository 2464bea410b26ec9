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

test("given variables determine the folders, even with another home", () => {
  const named = folders({ environment: VARIABLES });
  expect(named[0]).toBe("/c");
  expect(named[2]).toBe(join("/x", "opencode"));
  expect(folders({ home: "/h", environment: VARIABLES })).toEqual(named);
});

test("with another home, the variables of this process are ignored", () => {
  for (const folder of folders({ home: "/h" })) expect(folder.startsWith(join("/h", "."))).toBe(true);
});
