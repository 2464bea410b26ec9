import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { completeCommandLine } from "../complete-command-line.js";
import { bash, edit, filesContext, step } from "./files-context.test-support.js";

async function place(options: Parameters<typeof filesContext>[1] = {}) {
  const made = filesContext(
    [...step(edit("a.ts", "one", "two")), ...step(bash("echo broken > a.ts; echo new > new.txt")), "nothing done"],
    options,
  );
  await made.agent.prompt("first");
  await made.agent.prompt("second");
  return made;
}

describe("/diff", () => {
  test("shows what the last run changed, as text and as data", async () => {
    const { run, agent } = await place();
    const outcome = await run("/diff");
    expect(outcome).toHaveProperty(
      "message",
      [
        "What the last run changed: 2 files changed, 2 lines added, 1 removed",
        "  M a.ts     +1 -1",
        "  A new.txt  +1",
        "",
        "diff --git a/a.ts b/a.ts",
        "--- a/a.ts",
        "+++ b/a.ts",
        "@@ -1,1 +1,1 @@",
        "-two",
        "+broken",
        "",
        "diff --git a/new.txt b/new.txt",
        "new file mode 100644",
        "--- /dev/null",
        "+++ b/new.txt",
        "@@ -0,0 +1,1 @@",
        "+new",
      ].join("\n"),
    );
    expect(outcome).toMatchObject({ data: { files: [{ path: "a.ts", change: "changed" }, { path: "new.txt" }] } });
    await agent.prompt("third");
    expect(await run("/diff")).toMatchObject({ message: "What the last run changed: No files differ." });
  });

  test("compares an entry with the disk, and two entries", async () => {
    const { run, prompt, write } = await place();
    write("a.ts", "mine\n");
    expect(await run(`/diff ${prompt("second")}`)).toMatchObject({
      message: expect.stringContaining("-two\n+mine"),
    });
    expect(await run(`/diff ${prompt("first")} @`)).toMatchObject({
      message: expect.stringContaining("-one\n+broken"),
    });
    expect(await run("/diff @")).toMatchObject({ message: expect.stringContaining("-broken\n+mine") });
  });

  test("opens the screen where there is one", async () => {
    const { run, opened, prompt, session } = await place({ screens: ["diff"] });
    expect(await run("/diff")).toEqual({ kind: "shown" });
    await run(`/diff ${prompt("first")}`);
    expect(opened).toEqual([
      { screen: "diff", from: prompt("second"), to: session.getLeafId(), title: "What the last run changed" },
      { screen: "diff", from: prompt("first"), to: "disk", title: 'From "first" to the files on disk' },
    ]);
  });

  test("completes places, and refuses what it does not know", async () => {
    const { run, context, prompt } = await place();
    const found = await completeCommandLine(context, "/diff ");
    expect(found?.items.map(({ value }) => value)).toContain(prompt("first"));
    expect(await run("/diff nosuchentry")).toMatchObject({ kind: "unchanged", code: "unknown-reference" });
    expect(await run("/diff a b c")).toMatchObject({ kind: "unchanged", code: "wrong-arguments" });
  });
});

describe("/restore", () => {
  test("shows the plan, asks, and leaves the conversation where it is", async () => {
    const { run, read, questions, session, prompt } = await place({ answers: ["files", "files"] });
    const leaf = session.getLeafId();
    const outcome = await run(`/restore ${prompt("second")}`);
    expect(questions).toMatchObject([{ about: "restore", target: "second", plan: { files: [{ path: "a.ts" }, {}] } }]);
    expect(outcome).toMatchObject({ kind: "done", hint: `To undo this: /restore ${leaf}` });
    expect([read("a.ts"), read("new.txt")]).toEqual(["two\n", undefined]);
    await run(`/restore ${leaf}`);
    expect([read("a.ts"), read("new.txt")]).toEqual(["broken\n", "new\n"]);
  });

  test("takes some paths only", async () => {
    const { run, read, questions, prompt } = await place({ answers: ["files"] });
    await run(`/restore ${prompt("second")} ./a.ts`);
    expect(questions[0]?.plan.files.map(({ path }) => path)).toEqual(["a.ts"]);
    expect([read("a.ts"), read("new.txt")]).toEqual(["two\n", "new\n"]);
  });

  test("without an entry, restores the files of the position that a move left behind", async () => {
    const { run, read } = await place({ answers: ["conversation", "files"] });
    await run("/pop --no-summary");
    expect(read("a.ts")).toBe("broken\n");
    expect(await run("/restore a.ts")).toMatchObject({ kind: "done" });
    expect([read("a.ts"), read("new.txt")]).toEqual(["two\n", "new\n"]);
  });

  test("asks about conflicts, and stops with nothing changed", async () => {
    const { run, read, write, prompt } = await place({
      answers: ["files", "files", "stay"],
      conflicts: [undefined, { "a.ts": "take" }],
    });
    write("a.ts", "mine\n");
    expect(await run(`/restore ${prompt("second")}`)).toMatchObject({ kind: "unchanged", message: "Nothing changed." });
    expect([read("a.ts"), read("new.txt")]).toEqual(["mine\n", "new\n"]);
    await run(`/restore ${prompt("second")}`);
    expect([read("a.ts"), read("new.txt")]).toEqual(["two\n", undefined]);
    expect(await run(`/restore ${prompt("first")}`)).toMatchObject({ kind: "unchanged" });
    expect(read("a.ts")).toBe("two\n");
  });

  test("says what is wrong", async () => {
    const { run, write } = await place();
    expect(await run("/restore")).toEqual({
      kind: "unchanged",
      message: 'Nothing to restore: files already match "done".',
    });
    expect(await run("/restore nosuchentry")).toMatchObject({ code: "unknown-reference" });
    expect(await run("/restore ../outside.txt")).toMatchObject({ code: "unsafe-path" });
    const unnamed = "No step in this session changed Makefile, so no earlier version is recorded.";
    write("Makefile", "all:\n");
    expect(await run("/restore Makefile")).toEqual({ kind: "unchanged", message: unnamed });
    expect(await run("/restore ./Makefile")).toEqual({ kind: "unchanged", message: unnamed });
    expect(await run("/restore a.ts")).toEqual({
      kind: "unchanged",
      message: 'Nothing to restore: these files already match "done".',
    });
  });

  test("restores a named file that you changed since the last step, after asking", async () => {
    const { run, read, write } = await place({ answers: ["files"], conflicts: [{ "a.ts": "take" }] });
    write("a.ts", "mine\n");
    expect(await run("/restore a.ts")).toMatchObject({ kind: "done" });
    expect([read("a.ts"), read("new.txt")]).toEqual(["broken\n", "new\n"]);
  });

  test("takes the name of a file that is gone for a path, if a step changed it", async () => {
    const { context, run, read } = await place({ answers: ["files"], conflicts: [{ Makefile: "take" }] });
    await context.agent.runBash("echo all: > Makefile");
    rmSync(join(context.cwd, "Makefile"));
    expect(await run("/restore Makefil")).toMatchObject({ code: "unknown-reference" });
    expect(await run("/restore Makefile")).toMatchObject({ kind: "done" });
    expect(read("Makefile")).toBe("all:\n");
  });

  test("completes places first, then paths", async () => {
    const { context, prompt } = await place();
    const first = await completeCommandLine(context, "/restore ");
    expect(first?.items.map(({ value }) => value)).toEqual(expect.arrayContaining([prompt("first"), "a.ts"]));
    const then = await completeCommandLine(context, `/restore ${prompt("first")} n`);
    expect(then?.items.map(({ value }) => value)).toEqual(["new.txt"]);
  });
});
