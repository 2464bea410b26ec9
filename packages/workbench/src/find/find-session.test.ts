import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "@bough/session/session/index.js";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { findSession } from "./find-session.js";

let home: string;

beforeEach(() => {
  home = tempFolder();
  vi.stubEnv("HOME", home);
  vi.stubEnv("BOUGH_HOME", join(home, ".bough"));
});

afterEach(() => {
  vi.unstubAllEnvs();
});

test("a name in the middle of a large file is found, and remembered for the next time", async () => {
  const session = SessionManager.create("/home/dev/project");
  const say = () => session.appendMessage({ role: "user", content: "x".repeat(40_000), timestamp: 1 });
  say();
  say();
  session.appendSessionInfo("the parser");
  say();
  say();
  session.close();
  const file = session.getSessionFile() as string;
  const cache = join(home, ".bough", "cache", "session-counts.jsonl");
  expect(existsSync(cache)).toBe(false);
  const places = { cwd: "/home/dev/project" };
  expect(await findSession("The Parser", { places })).toEqual({ file });
  expect(readFileSync(cache, "utf8")).toContain('"name":"the parser"');
  // The cached name is used as long as the file is unchanged.
  expect(await findSession("the parser", { places })).toEqual({ file });
});

test("an abort while names are being read stops the search", async () => {
  const session = SessionManager.create("/home/dev/project");
  session.appendMessage({ role: "user", content: "x".repeat(90_000), timestamp: 1 });
  session.close();
  const stopped = findSession("nobody", { places: { cwd: "/home/dev/project" }, signal: AbortSignal.abort() });
  await expect(stopped).rejects.toMatchObject({ code: "aborted" });
});

test("a session without a name is found by its first prompt, as lists show it", async () => {
  const cwd = "/home/dev/project";
  const started = (prompt: string, name?: string): string => {
    const session = SessionManager.create(cwd);
    session.appendMessage({ role: "user", content: prompt, timestamp: 1 });
    if (name !== undefined) session.appendSessionInfo(name);
    session.close();
    return session.getSessionFile() as string;
  };
  const unnamed = started("Fix the\n  parser, please");
  started("hello", "greetings");
  const places = { cwd };
  const found = { file: unnamed };
  for (const shown of ["Fix the parser, please", "fix the parser, please", "Fix the par…", "Fix the par..."]) {
    expect(await findSession(shown, { places })).toEqual(found);
  }
  // The start of a prompt could be meant for another session, and a named session is shown by its name.
  await expect(findSession("Fix the", { places })).rejects.toMatchObject({ code: "session-not-found" });
  await expect(findSession("hello", { places })).rejects.toMatchObject({ code: "session-not-found" });
  started("Fix the parser, please");
  await expect(findSession("Fix the parser, please", { places })).rejects.toMatchObject({ code: "ambiguous-session" });
});
