/** Files over RPC, with a real agent, real files and a real store. */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { hashOf } from "@bough/workbench/checkpoint/index.js";
import { expect, test } from "vitest";
import { ageContent } from "../../../../../../test/support/stored-contents.js";
import { testContext } from "../../../command/command-context.test-support.js";
import { StoppableWork } from "../../stoppable-work.js";
import { projectPlace } from "../../subcommand/files/files-command.test-support.js";
import { KEPT_FILE_METHODS } from "./kept-file-methods.js";
import type { RpcContext } from "./rpc-method.js";

async function place() {
  const made = await projectPlace();
  const { cwd, home, session } = made;
  const files = { home: join(home, "bough") };
  const { agent, context: commands } = testContext({ session, agent: { cwd, files } });
  const context = { commands, work: new StoppableWork(), started: { agent, parts: { cwd } } } as unknown as RpcContext;
  const ask = async (name: keyof typeof KEPT_FILE_METHODS, params: object = {}): Promise<Answer> => {
    const method = KEPT_FILE_METHODS[name];
    const answer = await method.run(context, method.params.parse(params));
    expect(method.result.safeParse(answer).error).toBeUndefined();
    expect(JSON.stringify(answer).length).toBeLessThan(1_000_000);
    return answer as Answer;
  };
  return { ...made, ask };
}

type Answer = Readonly<Record<string, unknown>> & {
  readonly next: number | null;
  readonly total: number;
  readonly files: readonly { readonly path: string }[];
};

test("a plan names every file with what would be done, and a restore does it", async () => {
  const { say, step, write, at, cwd, ask } = await place();
  write({ "a.txt": "start\n", "mine.txt": "start\n" });
  const first = say("first");
  await step("change", { "a.txt": "one\n", "new.txt": "new\n", "mine.txt": "one\n" });
  write({ "mine.txt": "mine\n" });
  expect(await ask("planFiles", { entryId: first })).toMatchObject({
    total: 3,
    next: null,
    root: cwd,
    conflicts: 1,
    missing: 0,
    files: [
      { path: "a.txt", action: "write", byPerson: false },
      { path: "mine.txt", action: "conflict", why: "changed" },
      { path: "new.txt", action: "delete", wanted: null },
    ],
  });
  expect((await ask("planFiles", { entryId: first, paths: ["new.txt"] })).files).toHaveLength(1);
  expect(await ask("restoreFiles", { entryId: first, paths: ["a.txt", "mine.txt"] })).toEqual({
    kind: "followed",
    written: ["a.txt"],
    deleted: [],
    kept: ["mine.txt"],
    missing: [],
  });
  expect([readFileSync(at("a.txt"), "utf8"), existsSync(at("new.txt"))]).toEqual(["start\n", true]);
  await ask("restoreFiles", { entryId: first, conflicts: "take" });
  expect([readFileSync(at("mine.txt"), "utf8"), existsSync(at("new.txt"))]).toEqual(["start\n", false]);
  await expect(ask("restoreFiles", { entryId: first, paths: ["../outside"] })).rejects.toMatchObject({
    code: "unsafe-path",
  });
  await expect(ask("planFiles", { entryId: "no such entry" })).rejects.toMatchObject({ code: "entry-not-found" });
});

test("differences come in pages, between entries and with the disk; one that is too long is cut", async () => {
  const { say, step, write, ask } = await place();
  const first = say("first");
  const long = Array.from({ length: 40 }, (_, n) => `${n} ${"word ".repeat(10_000)}\n`).join("");
  const many = Object.fromEntries(
    Array.from({ length: 30 }, (_, n) => [`many/${n + 10}.txt`, `${n}\n${"x".repeat(60_000)}\n`]),
  );
  const last = await step("much", { ...many, "a-long.txt": long.slice(0, 1_000_000) });
  const paths: string[] = [];
  for (let offset: number | null = 0; offset !== null; ) {
    const page: Answer = await ask("diffFiles", { from: first, to: last, offset });
    expect(page.total).toBe(31);
    for (const { path } of page.files) paths.push(path);
    offset = page.next;
  }
  expect(paths).toEqual(["a-long.txt", ...Object.keys(many)]);
  expect((await ask("diffFiles", { from: first, to: last, limit: 1 })).files).toMatchObject([
    { path: "a-long.txt", change: "added", cut: { characters: expect.any(Number) } },
  ]);
  write({ "many/10.txt": "changed\n" });
  expect((await ask("diffFiles")).files).toMatchObject([
    { path: "many/10.txt", change: "changed", added: 1, removed: 2 },
  ]);
  const [named] = (await ask("diffFiles", { patch: false })).files;
  expect(named).not.toHaveProperty("patch");
  expect(await ask("differingFiles")).toEqual({ total: 0, paths: [] });
});

test("a line is traced to its prompt", async () => {
  const { step, write, ask } = await place();
  write({ "a.txt": "old\n" });
  await step("make it new", { "a.txt": "old\nnew\n" });
  expect(await ask("blame", { path: "a.txt", offset: 1 })).toMatchObject({
    total: 2,
    path: "a.txt",
    lines: [{ line: 2, text: "new", kind: "step", step: { prompt: { text: "make it new" }, branch: { number: 1 } } }],
  });
  await expect(ask("blame", { path: "gone.txt" })).rejects.toMatchObject({ code: "no-file-history" });
});

test("what is stored is counted and cleaned up, and not while a session cannot be read", async () => {
  const { step, store, session, ask } = await place();
  await step("first", { "a.txt": "a\n" });
  const unused = await store.put(Buffer.from("used by no session"));
  ageContent(store, unused, new Date(0));
  expect(await ask("files.status")).toMatchObject({
    total: 1,
    contents: 2,
    unused: { contents: 1 },
    sessions: [{ file: session.getSessionFile(), checkpoints: 1 }],
    unread: [],
  });
  expect(await ask("files.gc", { dryRun: true })).toMatchObject({ removed: 1, kept: 1 });
  expect(store.has(unused)).toBe(true);
  session.appendCustomEntry("bough.files", { v: 2 });
  await expect(ask("files.gc")).rejects.toMatchObject({ code: "sessions-unread" });
  rmSync(session.getSessionFile() as string);
  expect(await ask("files.gc")).toMatchObject({ removed: 1, kept: 1 });
  expect([store.has(unused), store.has(hashOf(Buffer.from("a\n")))]).toEqual([false, true]);
});

test("a path that no step changed is an error alone, and named beside others", async () => {
  const { say, step, ask } = await place();
  const first = say("first");
  await step("change", { "a.txt": "one\n" });
  for (const name of ["planFiles", "restoreFiles"] as const)
    await expect(ask(name, { entryId: first, paths: ["never.txt"] })).rejects.toMatchObject({
      code: "no-file-history",
      message: "No step in this session changed never.txt",
    });
  expect(await ask("restoreFiles", { entryId: first, paths: ["never.txt", "a.txt"] })).toMatchObject({
    deleted: ["a.txt"],
    unrecorded: ["never.txt"],
  });
});

test("files that decide what runs are left out and listed unless the request names them", async () => {
  const { say, step, at, ask } = await place();
  const first = say("first");
  await step("change", { ".envrc": "x\n", "a.txt": "one\n" });
  expect(await ask("planFiles", { entryId: first })).toMatchObject({
    protected: 1,
    files: [
      { path: ".envrc", action: "protected", why: "runs" },
      { path: "a.txt", action: "delete" },
    ],
  });
  expect(await ask("restoreFiles", { entryId: first, conflicts: "take" })).toMatchObject({
    deleted: ["a.txt"],
    protected: [".envrc"],
  });
  expect(existsSync(at(".envrc"))).toBe(true);
  expect(await ask("restoreFiles", { entryId: first, protected: "take" })).toMatchObject({ deleted: [".envrc"] });
});
