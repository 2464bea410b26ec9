import { join } from "node:path";
import { archiveSession } from "@bough/session/session/index.js";
import { expect, test } from "vitest";
import { projectPlace } from "./files-command.test-support.js";

test("each line with its address, age, branch and prompt; one line in detail; and as JSON", async () => {
  const { session, step, write, bough, cwd } = await projectPlace("git");
  write({ "src/a.txt": "old\n" });
  const record = await step("make it new", { "src/a.txt": "old\nnew\n" });
  session.appendSessionInfo("parser session");
  session.close();
  const entryId = JSON.parse((await bough("blame", "src/a.txt", "--json")).stdout).lines[1].step.entryId;
  const id = session.getSessionId();
  const { code, stdout, stderr } = await bough("blame", "src/a.txt");
  const [first, second] = stdout.split("\n");
  expect([code, stderr]).toEqual([0, ""]);
  expect(first).toMatch(/^before any session +1 {2}old$/);
  expect(second).toMatch(new RegExp(`^${id.slice(0, 8)}[0-9a-f-]*#${entryId} +now {2}#1 {4}make it new +2 {2}new$`));
  expect((await bough("blame", "src/a.txt:2")).stdout).toMatch(
    /^src\/a.txt:2 {2}new\n {2}Written by bash, just now\n {2}Session {2}parser session .*\n {2}Branch {3}#1 make it new\n {2}Prompt {3}make it new\n {2}Show it {2}bough show /,
  );
  expect(JSON.parse((await bough("blame", "src/a.txt:2", "--json")).stdout)).toEqual({
    root: cwd,
    path: "src/a.txt",
    unread: [],
    lines: [
      {
        line: 2,
        text: "new",
        kind: "step",
        step: {
          session: { id, path: session.getSessionFile(), name: "parser session" },
          entryId,
          recordId: record,
          branch: { number: 1, name: "make it new" },
          prompt: { entryId, text: "make it new" },
          by: "tool",
          tool: "bash",
          agent: null,
          time: expect.any(String),
        },
      },
    ],
  });
});

test("an archived session still knows what it wrote", async () => {
  const { session, step, bough } = await projectPlace();
  await step("first", { "a.txt": "a\n" });
  session.close();
  expect(archiveSession(session.getSessionFile() as string, { now: () => new Date() }).kind).toBe("archived");
  expect((await bough("blame", "a.txt")).stdout).toMatch(/first +1 {2}a$/m);
});

test("what cannot be traced is reported, with a hint", async () => {
  const { step, write, bough, home } = await projectPlace();
  await step("first", { "a:3": "x\n", "a.txt": "a\n", binary: Buffer.from([0]) });
  write({ "unknown.txt": "x\n" });
  expect((await bough("blame", "a:3")).code).toBe(0);
  for (const [args, message] of [
    [["a.txt:2"], /a.txt has 1 line/],
    [["a.txt:0"], /numbered from 1/],
    [["nothing.txt"], /File not found: nothing.txt/],
    [["unknown.txt"], /No session recorded a change of unknown.txt/],
    [["binary"], /binary is not text/],
    [[join(home, "elsewhere")], /not a file path in/],
  ] as const) {
    const { code, stderr } = await bough("blame", ...args);
    expect([code > 0, stderr]).toEqual([true, expect.stringMatching(message)]);
  }
});
