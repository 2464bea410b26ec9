import { existsSync } from "node:fs";
import { SessionManager } from "@bough/session/session/index.js";
import { findSession } from "@bough/workbench/find/index.js";
import { describe, expect, test } from "vitest";
import { agentsPlace, runCommand } from "./import/run-command.test-support.js";

test("an empty name is not a name: least of all that of the session used last", async () => {
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
    expect([args, code, stderr.split("\n")[0]]).toEqual([args, 2, "bough: The session name is empty"]);
  }
  expect(existsSync(session.getSessionFile() as string)).toBe(true);
  await expect(findSession("", { places: place })).rejects.toMatchObject({ code: "session-not-found" });
});

describe("addresses", () => {
  /** Three branches; the id of the second entry starts with a branch number. */
  function withBranches(place: ReturnType<typeof agentsPlace>): SessionManager {
    const ids = ["aaaa00000001", "3bbb00000002", "cccc00000003", "dddd00000004"];
    const session = SessionManager.create(place.cwd, undefined, { newId: () => ids.shift() as string });
    const say = (content: string) => session.appendMessage({ role: "user", content, timestamp: 1 });
    say("shared");
    for (const content of ["first way", "second way", "third way"]) {
      session.branch("aaaa00000001");
      say(content);
    }
    session.close();
    return session;
  }

  test("#2 refers to the branch in every form of a reference, and ##2 too", async () => {
    const place = agentsPlace();
    const session = withBranches(place);
    const id = session.getSessionId();
    for (const [reference, end] of [
      [`${id}#2`, "second way"],
      [`${id}##2`, "second way"],
      [`${id.slice(0, 8)}#3`, "third way"],
      ["#1", "first way"],
      ["##1", "first way"],
      [`${session.getSessionFile()}#3`, "third way"],
    ] as const) {
      const { stdout } = await runCommand(place, ["show", reference, "--last", "1"]);
      expect([reference, stdout.includes(end)]).toEqual([reference, true]);
    }
    expect(await findSession(`${id}##2`, { places: place })).toMatchObject({ entry: "#2" });
  });

  test("a missing branch is reported, and one character is not an ID", async () => {
    const place = agentsPlace();
    const id = withBranches(place).getSessionId();
    const missing = await runCommand(place, ["show", `${id}#9`]);
    expect([missing.code, missing.stderr]).toEqual([
      1,
      "bough: Unknown branch #9\n  Branches are numbered from #1 to #3.\n",
    ]);
    const short = await runCommand(place, ["show", `${id}#c`]);
    expect(short.code).toBe(1);
    expect(short.stderr).toContain("Give at least 4 characters of the ID.");
    expect((await runCommand(place, ["show", `${id}#cccc`])).stdout).toContain("second way");
  });

  test("a number that is a branch and the label of another entry is an error with both", async () => {
    const place = agentsPlace();
    const session = SessionManager.open(withBranches(place).getSessionFile() as string);
    session.appendLabelChange("aaaa00000001", "2");
    session.close();
    const { code, stderr } = await runCommand(place, ["show", `${session.getSessionId()}#2`]);
    expect(code).toBe(1);
    expect(stderr).toContain("#2 is both a branch and an entry");
    expect(stderr).toContain("##2 is the end of branch 2 (cccc00000003); the entry is aaaa00000001.");
  });

  test("handoff says which prompt it ends on", async () => {
    const place = agentsPlace();
    const id = withBranches(place).getSessionId();
    const { stdout } = await runCommand(place, ["handoff", "codex", `${id}#2`, "--dry-run", "--to", place.cwd]);
    expect(stdout).toContain('Last prompt: "second way" (cccc00000003)');
  });
});
