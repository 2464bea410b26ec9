import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { isSafeToLoad } from "./gemini-minute.js";

test("a session of Gemini CLI is not loaded in the minute in which it began", () => {
  const home = tempFolder();
  const chats = join(home, ".gemini", "tmp", "project", "chats");
  mkdirSync(chats, { recursive: true });
  writeFileSync(join(chats, "session-2026-11-20T00-08-91c9e961.jsonl"), "");
  const id = "91c9e961-a866-4a87-9915-0172247155b5";
  const at = (time: string, env: NodeJS.ProcessEnv = { HOME: home }) => isSafeToLoad(id, env, new Date(time));
  expect(at("2026-11-20T00:08:59.999Z")).toBe(false);
  expect(at("2026-11-20T00:08:00.000Z", { HOME: "/nowhere", GEMINI_CLI_HOME: home })).toBe(false);
  expect(at("2026-11-20T00:09:00.000Z")).toBe(true);
  expect(at("2026-11-20T00:08:00.000Z", { HOME: "/nowhere" })).toBe(true);
});
