import { appendFileSync, chmodSync, rmSync } from "node:fs";
import { join } from "node:path";
import { archiveSession } from "@bough/session/session/index.js";
import { hashOf, registerSession } from "@bough/workbench/checkpoint/index.js";
import { expect, test } from "vitest";
import { ageContent } from "../../../../../../test/support/stored-contents.js";
import { projectPlace } from "./files-command.test-support.js";

const LONG_AGO = new Date("2020-01-01T00:00:00Z");

async function withUnused() {
  const place = await projectPlace();
  await place.step("first", { "a.txt": "a\n" });
  place.session.close();
  const hash = await place.store.put(Buffer.from("nobody names this"));
  const used = hashOf(Buffer.from("a\n"));
  for (const one of [hash, used]) ageContent(place.store, one, LONG_AGO);
  return { ...place, unused: hash, used };
}

test("the status says what is kept, how much, and by which sessions", async () => {
  const { session, cwd, store, bough } = await withUnused();
  const { stdout, code } = await bough("files");
  expect([code, stdout.split("\n").map((line) => line.replace(/\d+ B/, "N B"))]).toEqual([
    0,
    [
      cwd,
      `  Stored    2 file versions, N B  ${store.folder}`,
      "  Unused    1 file version, N B  bough files gc removes those older than 14 days",
      expect.stringMatching(/^ {2}Session {3}[0-9a-f]+ +first {2}1 checkpoint, 1 file version, N B$/),
      "",
    ],
  ]);
  const { stores } = JSON.parse((await bough("files", "status", "--json")).stdout);
  expect(stores).toMatchObject([
    {
      root: cwd,
      store: store.folder,
      contents: 2,
      unused: { contents: 1 },
      sessions: [{ file: session.getSessionFile(), checkpoints: 1, contents: 1 }],
      unread: [],
      away: [],
    },
  ]);
  expect((await bough("files", "--all", "--json")).stdout).toContain(store.folder);
});

test("what no session names is removed once it is old; a dry run removes nothing; archived sessions count", async () => {
  const { session, store, bough, unused, used } = await withUnused();
  archiveSession(session.getSessionFile() as string, { now: () => new Date() });
  expect((await bough("files", "gc", "--dry-run")).stdout).toMatch(/^Would remove 1 file version, \d+ B; 1 kept$/m);
  expect([store.has(unused), store.has(used)]).toEqual([true, true]);
  expect((await bough("files", "gc")).stdout).toMatch(/^Removed 1 file version, \d+ B; 1 kept$/m);
  expect([store.has(unused), store.has(used)]).toEqual([false, true]);
  expect(JSON.parse((await bough("files", "gc", "--all", "--json")).stdout)).toMatchObject({
    dryRun: false,
    stores: [{ removed: 0, kept: 1 }],
  });
});

test("nothing is removed while a record is damaged or a session cannot be read", async () => {
  const { session, store, bough, unused } = await withUnused();
  const file = session.getSessionFile() as string;
  appendFileSync(file, '{"type":"custom","customType":"bough.files","data":{"v":1,"cha\n');
  expect(await bough("files", "gc")).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/Nothing was removed: .* has an unreadable file record\n.*Repair or remove it/),
  });
  expect(store.has(unused)).toBe(true);
  expect((await bough("files")).stderr).toMatch(/^bough: Cannot read /);
});

test("a deleted folder of sessions is named, stops the removal, and can be forgotten", async () => {
  const { home, store, bough, unused, used } = await withUnused();
  const folder = join(home, "far");
  registerSession(store.folder, join(folder, "one.jsonl"));
  expect(await bough("files", "gc")).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/Nothing was removed: session folder not found: .*far\n.*--forget-missing/),
  });
  expect((await bough("files")).stderr).toMatch(/^bough: Session folder not found: .*far\n.*--forget-missing/);
  expect((await bough("files", "gc", "--forget-missing", "--dry-run")).code).toBe(0);
  expect([store.has(unused), (await bough("files", "gc")).code]).toEqual([true, 1]);
  expect((await bough("files", "gc", "--forget-missing")).code).toBe(0);
  expect([store.has(unused), store.has(used), (await bough("files")).stderr]).toEqual([false, true, ""]);
  expect((await bough("files", "gc")).code).toBe(0);
});

test.skipIf(process.getuid?.() === 0)("a folder of sessions that cannot be listed is not an empty one", async () => {
  const { home, store, bough, unused } = await withUnused();
  const folder = join(home, "bough", "archive");
  rmSync(folder, { recursive: true, force: true });
  const sessions = join(home, "bough", "sessions");
  chmodSync(sessions, 0o000);
  const { code, stderr } = await bough("files", "gc");
  chmodSync(sessions, 0o700);
  expect([code, stderr, store.has(unused)]).toEqual([
    1,
    expect.stringContaining("Cannot read the sessions folder"),
    true,
  ]);
});

test("the home folder has no store, and wrong words are refused", async () => {
  const { home } = await projectPlace();
  const { runCommand } = await import("../import/run-command.test-support.js");
  expect(await runCommand({ cwd: home }, ["files"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("not recorded in your home folder"),
  });
  expect(await runCommand({ cwd: home }, ["files", "clean"])).toMatchObject({ code: 2 });
});
