import { expect, test } from "vitest";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { createPermissions, type PermissionRequest, parseRule } from "../tool/index.js";
import { callRequests } from "./call-requests.js";

const CWD = "/project";

test.each([
  [{ command: "git log" }, "git log"],
  [{ command: ["bash", "-lc", "git log | head"] }, "git log | head"],
  // No shell reads these words, so none of them is a comment or a second command.
  [{ command: ["git", "log", "#", "--output=a"] }, "git log '#' --output=a"],
  [{ cmd: ["echo", "a; make", "$(make)"] }, "echo 'a; make' '$(make)'"],
])("a command is judged as what runs: %j", (input, target) => {
  const call = { id: "1", action: "run", input } as const;
  expect(callRequests(call, CWD)).toEqual([{ tool: "bash", action: "run", target, callId: "1" }]);
});

test("every file of a call is asked about once, by its absolute path", () => {
  const edits = [{ path: "a.txt", oldText: "a", newText: "b" }];
  const call = { id: "1", action: "edit", edits, paths: ["/project/a.txt", "../b.txt"] } as const;
  const requests = callRequests(call, CWD);
  expect(requests.map(({ tool, action, target }) => [tool, action, target])).toEqual([
    ["edit", "write", "/project/a.txt"],
    ["edit", "write", "/b.txt"],
  ]);
});

test("a search is one of everything below the folders it names, or of the whole project", () => {
  const call = { id: "1", action: "search" } as const;
  const asked = { tool: "grep", action: "read", callId: "1" };
  expect(callRequests(call, CWD)).toEqual([{ ...asked, target: CWD }]);
  expect(callRequests({ ...call, input: { path: "src" } }, CWD)).toEqual([{ ...asked, target: "/project/src" }]);
});

test("what only describes a command is asked about, whatever was allowed before", async () => {
  const asked: (readonly string[])[] = [];
  const { permit } = createPermissions({
    ...{ mode: "auto", cwd: tempFolder() },
    rules: ["bash", "bash(git log:*)"].map((text) => parseRule(text, { effect: "allow", source: { kind: "user" } })),
    ask: async ({ warnings }) => {
      asked.push(warnings);
      return "session";
    },
  });
  const [described] = callRequests({ id: "1", action: "run", title: "git log" }, CWD);
  const [known] = callRequests({ id: "1", action: "run", input: { command: "git log" } }, CWD);
  for (const request of [described, described, known])
    expect(await permit(request as PermissionRequest)).toMatchObject({ allowed: true });
  const said = "The agent sent only this description of the command. You are asked every time.";
  expect(asked).toEqual([[said], [said]]);
});
