import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { SessionManager } from "../../session/index.js";
import { findAnySession } from "../find-session.js";
import { agentsPlace, runCommand } from "./agents/run-command.test-support.js";

test("an empty name is no name: least of all that of the session used last", async () => {
  const place = agentsPlace();
  const session = SessionManager.create(place.cwd);
  session.appendMessage({ role: "user", content: "hello", timestamp: 1 });
  session.close();
  for (const args of [
    ["archive", "", "--yes"],
    ["rename", "", "new"],
    ["show", " "],
    ["fork", ""],
    ["tree", ""],
  ]) {
    const { code, stderr } = await runCommand(place, args);
    expect([args, code, stderr.split("\n")[0]]).toEqual([args, 2, "bough: The name of the session is empty"]);
  }
  expect(existsSync(session.getSessionFile() as string)).toBe(true);
  await expect(findAnySession("", place)).rejects.toMatchObject({ code: "session-not-found" });
});
