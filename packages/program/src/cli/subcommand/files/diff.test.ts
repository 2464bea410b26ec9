import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SessionManager } from "@bough/session/session/index.js";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../../../test/support/temp-folder.js";
import { projectPlace } from "./files-command.test-support.js";

test.each(["git", "folder"] as const)("in a %s, two entries, an entry and the disk, and chosen paths", async (kind) => {
  const { session, say, step, write, bough } = await projectPlace(kind);
  write({ "a.txt": "one\n", "src/b.txt": "b\n" });
  const first = say("first");
  const last = await step("change", { "a.txt": "two\n", "src/b.txt": "c\n", "src/new.txt": "new\n" });
  session.appendLabelChange(last, "done");
  write({ "a.txt": "three\n" });
  expect(await bough("diff", `#${first}`, "#done", "--stat")).toEqual({
    code: 0,
    stdout:
      "M a.txt        +1 -1\nM src/b.txt    +1 -1\nA src/new.txt  +1\n3 files changed, 3 lines added, 2 removed\n",
    stderr: "",
  });
  expect((await bough("diff", `#${first}`, "#done", "src/new.txt")).stdout).toBe(
    [
      "diff --git a/src/new.txt b/src/new.txt",
      "new file mode 100644",
      "--- /dev/null",
      "+++ b/src/new.txt",
      "@@ -0,0 +1,1 @@",
      "+new",
      "",
    ].join("\n"),
  );
  expect((await bough("diff", "--stat")).stdout).toBe("M a.txt  +1 -1\n1 file changed, 1 line added, 1 removed\n");
  expect((await bough("diff", `#${first}`, "src", "--stat")).stdout).toBe(
    "M src/b.txt    +1 -1\nA src/new.txt  +1\n2 files changed, 2 lines added, 1 removed\n",
  );
  const { files, ...head } = JSON.parse((await bough("diff", "#done", "--json")).stdout);
  expect(head).toMatchObject({
    session: { id: session.getSessionId() },
    from: last,
    to: "disk",
    skipped: [],
    unread: [],
  });
  expect(files).toMatchObject(
    [{ path: "a.txt", change: "changed", added: 1, removed: 1, patch: /^diff --git/ }].map((one) => ({
      ...one,
      patch: expect.stringMatching(one.patch),
    })),
  );
});

test("what is printed in a pipe is a patch that undoes the work", async () => {
  const { cwd, say, step, write, bough, at } = await projectPlace("git");
  write({ "a.txt": "one\r\ntwo\n" });
  const first = say("first");
  const last = await step("change", { "a.txt": "one\r\n2", "b.txt": "b\n" });
  const { stdout } = await bough("diff", `#${last}`, `#${first}`);
  const patch = join(tempFolder(), "undo.patch");
  writeFileSync(patch, stdout);
  execFileSync("git", ["apply", patch], { cwd });
  expect(readFileSync(at("a.txt"), "utf8")).toBe("one\r\ntwo\n");
  expect((await bough("diff", `#${first}`, "--stat")).stdout).toBe("No files differ.\n");
});

test("the checkpoint below a tool result belongs to it", async () => {
  const { session, step, bough } = await projectPlace();
  const checkpoint = await step("change", { "a.txt": "a\n" });
  const above = session.getEntry(checkpoint)?.parentId as string;
  expect((await bough("diff", `#${above}`, `#${checkpoint}`, "--stat")).stdout).toBe("No files differ.\n");
});

test("a session without records, one of another folder, and garbage are reported in a sentence", async () => {
  const { cwd, home, session, step, bough } = await projectPlace();
  await step("change", { "a.txt": "a\n", "b#c": "x" });
  expect((await bough("diff", "#nothing-like-it")).stderr).toMatch(/not found/);
  expect(await bough("diff", "a.txt")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("bough diff '#@' a.txt"),
  });
  expect(await bough("diff", "#@", "../outside")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("not a file path in"),
  });
  expect(await bough("diff", "#@", ".git/config")).toMatchObject({ code: 1 });
  expect((await bough("diff", "#@", "b#c", "--stat")).stdout).toBe("No files differ.\n");
  const other = SessionManager.create(cwd);
  other.appendMessage({ role: "user", content: "hi", timestamp: 0 });
  other.close();
  const pair = [`${session.getSessionId()}#@`, `${other.getSessionId()}#@`];
  expect(await bough("diff", ...pair)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("two different sessions"),
  });
  expect(await bough("diff", other.getSessionId())).toEqual({
    code: 0,
    stdout: "",
    stderr: "bough: No file changes are recorded in this session.\n",
  });
  rmSync(join(home, "bough", "files"), { recursive: true });
  expect((await bough("diff", `${session.getSessionId()}#1`, "--stat")).stdout).toBe("No files differ.\n");
  writeFileSync(join(cwd, "a.txt"), "changed");
  expect((await bough("diff", session.getSessionId(), "--stat")).stdout).toMatch(
    /^M a.txt {2}content not on this machine$/m,
  );
});
