/** Files that follow a real session, in a real folder. */
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type EntryId, FILES_TYPE } from "@bough/session/entry/index.js";
import { filesRecord } from "@bough/session/entry/internal.js";
import { SessionManager } from "@bough/session/session/index.js";
import { expect, test } from "vitest";
import { sampledRuns } from "../../../../test/support/sampled.js";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { FolderScanner } from "./scan/folder-scanner.js";
import { GitScanner } from "./scan/git-scanner.js";
import { SessionFiles } from "./session-files.js";
import { BlobStore } from "./store/blob-store.js";

async function place(kind: "git" | "folder" = "folder") {
  const root = tempFolder();
  writeFileSync(join(root, "a.txt"), "start\n");
  if (kind === "git") {
    execFileSync("git", ["init", "--quiet"], { cwd: root });
    execFileSync("git", ["add", "-A"], { cwd: root });
  }
  const store = new BlobStore(join(tempFolder(), "files"));
  const session = SessionManager.create(root, tempFolder());
  const open = () => {
    const options = { root, store, largest: 1 << 20 };
    const scanner =
      kind === "git" ? new GitScanner({ ...options, index: join(store.folder, "index") }) : new FolderScanner(options);
    return new SessionFiles({ session, root, store, scanner });
  };
  const files = open();
  await files.begin();
  const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : undefined);
  const say = (text: string): EntryId => session.appendMessage({ role: "user", content: text, timestamp: 0 });
  /** A tool's step: changes files and records them. */
  const step = async (text: string, change: () => void): Promise<EntryId> => {
    say(text);
    change();
    await files.record({ by: "tool", tool: "bash", callIds: ["1"] });
    return session.getLeafId() as EntryId;
  };
  const go = async (to: EntryId | null, choices = {}) => {
    const plan = await files.plan(to);
    const move = () => (to === null ? session.resetLeaf() : session.branch(to));
    return files.follow(to, { plan, choices, move });
  };
  return { root, store, session, files, open, read, say, step, go, at: (path: string) => join(root, path) };
}

test.each(["git", "folder"] as const)(
  "in a %s, files go back, forward and to another branch with the leaf",
  async (kind) => {
    const { session, read, say, step, go, at } = await place(kind);
    const first = say("first");
    const one = await step("one", () => {
      writeFileSync(at("a.txt"), "one\n");
      writeFileSync(at("new.txt"), "new\n");
    });
    await go(first);
    expect([read("a.txt"), read("new.txt")]).toEqual(["start\n", undefined]);
    const two = await step("two", () => writeFileSync(at("a.txt"), "two\n"));
    await go(one);
    expect([read("a.txt"), read("new.txt")]).toEqual(["one\n", "new\n"]);
    await go(two);
    expect([read("a.txt"), read("new.txt")]).toEqual(["two\n", undefined]);
    await go(null);
    expect([read("a.txt"), read("new.txt")]).toEqual(["start\n", undefined]);
    expect(session.getProblems()).toEqual([]);
  },
);

test("after a restart the way is the same, from the log alone", async () => {
  const { session, open, read, say, step, at } = await place();
  const first = say("first");
  await step("one", () => writeFileSync(at("a.txt"), "one\n"));
  const again = open();
  await again.restore(await again.plan(first));
  session.branch(first);
  expect(read("a.txt")).toBe("start\n");
});

test("if the files stay, the branch records what it found, and going back still restores what was recorded", async () => {
  const { session, files, read, say, step, go, at } = await place();
  const first = say("first");
  const one = await step("one", () => writeFileSync(at("a.txt"), "one\n"));
  const stayed = await files.staying(first);
  session.branch(first);
  stayed();
  say("without files");
  const recorded = await files.record({ by: "tool", tool: "bash" });
  expect(recorded).toBeUndefined();
  const stay = session.getLeafEntry();
  expect(stay).toMatchObject({ type: "custom", customType: FILES_TYPE });
  expect(filesRecord((stay as { data?: unknown }).data)).toMatchObject({ by: "restore", changes: [{ path: "a.txt" }] });
  const here = await step("edit", () => writeFileSync(at("a.txt"), "here\n"));
  await go(one);
  expect(read("a.txt")).toBe("one\n");
  await go(first);
  expect(read("a.txt")).toBe("start\n");
  await go(here);
  expect(read("a.txt")).toBe("here\n");
});

test("a conflict is kept or taken as it was answered; what is kept belongs to the branch it is kept on", async () => {
  const { root, store, session, read, say, step, go, at } = await place();
  const first = say("first");
  const one = await step("one", () => writeFileSync(at("a.txt"), "one\n"));
  writeFileSync(at("a.txt"), "mine\n");
  expect(await go(first)).toMatchObject({ kind: "unchanged", kept: ["a.txt"] });
  expect(read("a.txt")).toBe("mine\n");
  expect(filesRecord((session.getLeafEntry() as { data?: unknown }).data)).toMatchObject({ by: "person" });
  expect(await go(one)).toMatchObject({ kind: "done", written: ["a.txt"] });
  expect(read("a.txt")).toBe("one\n");
  writeFileSync(at("a.txt"), "again\n");
  expect(await go(first, { conflicts: "take" })).toMatchObject({ kind: "done", written: ["a.txt"], kept: [] });
  expect(read("a.txt")).toBe("start\n");
  expect([root, store.folder].every(existsSync)).toBe(true);
});

test("only the chosen paths are restored", async () => {
  const { read, say, step, go, at } = await place();
  const first = say("first");
  await step("one", () => {
    mkdirSync(at("src"));
    writeFileSync(at("src/x"), "x");
    writeFileSync(at("a.txt"), "one\n");
  });
  expect(await go(first, { paths: ["src/"] })).toMatchObject({ deleted: ["src/x"], written: [] });
  expect([read("src/x"), read("a.txt")]).toEqual([undefined, "one\n"]);
});

const MANY = sampledRuns({ all: 10_000, some: 1500 });

test("thousands of changed files are one entry, and go back", async () => {
  const { session, read, say, step, go, at } = await place();
  const first = say("first");
  await step("many", () => {
    mkdirSync(at("many"));
    for (let n = 0; n < MANY; n++) writeFileSync(at(`many/${n}`), `${n % 10}`);
  });
  const line = JSON.stringify(session.getLeafEntry());
  expect(line.length).toBeLessThan(1000);
  expect(JSON.parse(line).data.changesIn).toMatch(/^[0-9a-f]{64}$/);
  expect((await go(first)).deleted).toHaveLength(MANY);
  expect([read("many/1"), existsSync(at("many"))]).toEqual([undefined, false]);
});

test("a file that cannot be read is named, not lost", async () => {
  const { files, say, at } = await place();
  say("first");
  writeFileSync(at("secret"), "x");
  chmodSync(at("secret"), 0o000);
  const recorded = await files.record({ by: "tool", tool: "bash" });
  // Root can read everything.
  const readable = process.getuid?.() === 0;
  expect(readable ? recorded?.changes.length : recorded?.skipped).toEqual(
    readable ? 1 : [{ path: "secret", why: "unreadable" }],
  );
});
