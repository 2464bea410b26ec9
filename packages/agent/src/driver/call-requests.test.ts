import { expect, test } from "vitest";
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
