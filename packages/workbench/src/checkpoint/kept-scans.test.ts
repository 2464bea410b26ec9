/** Scans that are kept and recorded later, below entries that did not exist when the files changed. */
import { existsSync, readFileSync } from "node:fs";
import { type EntryId, FILES_TYPE } from "@bough/session/entry/index.js";
import { filesRecord } from "@bough/session/entry/internal.js";
import { SessionManager } from "@bough/session/session/index.js";
import { expect, test } from "vitest";
import { type Files, filesPlace } from "./files-place.test-support.js";
import { FolderScanner } from "./scan/folder-scanner.js";
import { type FilesScan, SessionFiles } from "./session-files.js";

async function place(start: Files = { "a.txt": "start\n" }) {
  const made = await filesPlace();
  made.write(start);
  await made.files.begin();
  const { files, session, write } = made;
  /** A call of an agent that changes files; its entries come later. */
  const call = async (id: string, change: Files): Promise<FilesScan> => {
    write(change);
    const scan = await files.scan({ by: "tool", tool: "Bash", callIds: [id] });
    expect(scan).toBeDefined();
    return scan as FilesScan;
  };
  const read = (path: string) => (existsSync(made.at(path)) ? readFileSync(made.at(path), "utf8") : undefined);
  const go = async (to: EntryId) => {
    const plan = await files.plan(to);
    await files.follow(to, { plan, move: () => session.branch(to) });
    return plan;
  };
  return { ...made, call, read, go };
}

/** The path to the leaf: what was said, and what was recorded. */
function told(session: SessionManager, leaf?: EntryId) {
  return session.getBranch(leaf).flatMap((entry): unknown[] => {
    if (entry.type === "message") return [(entry.message as { content: unknown }).content];
    if (entry.type !== "custom" || entry.customType !== FILES_TYPE) return [];
    const { by, callIds, changes } = filesRecord(entry.data) ?? { by: "?", changes: [] };
    return [{ by, ...(callIds === undefined ? {} : { callIds }), paths: changes.map(({ path }) => path) }];
  });
}

test("a scan writes nothing to the session; each one is recorded below the entry that came later", async () => {
  const { session, files, say, call, read, go } = await place();
  const prompt = say("do it");
  const first = await call("1", { "a.txt": "one\n", "new.txt": "new\n" });
  const second = await call("2", { "a.txt": "two\n" });
  expect(told(session)).toEqual(["do it"]);
  const result = say("result of 1");
  const recorded = await files.recordScans([first]);
  expect(session.getLeafId()).toBe(recorded?.entryId);
  const last = say("result of 2");
  await files.recordScans([second]);
  expect(told(session)).toEqual([
    "do it",
    "result of 1",
    { by: "tool", callIds: ["1"], paths: ["a.txt", "new.txt"] },
    "result of 2",
    { by: "tool", callIds: ["2"], paths: ["a.txt"] },
  ]);
  await go(result);
  expect([read("a.txt"), read("new.txt")]).toEqual(["one\n", "new\n"]);
  await go(prompt);
  expect([read("a.txt"), read("new.txt")]).toEqual(["start\n", undefined]);
  await go(last);
  expect([read("a.txt"), read("new.txt")]).toEqual(["two\n", "new\n"]);
  expect(await files.record({ by: "person" })).toBeUndefined();
});

test("nothing changed is no scan", async () => {
  const { files } = await place();
  expect(await files.scan({ by: "tool", callIds: ["1"] })).toBeUndefined();
  expect(await files.recordScans([])).toBeUndefined();
});

test("scans of calls that ran at the same time become one record with all calls", async () => {
  const { session, files, say, call } = await place();
  const first = await call("1", { "a.txt": "one\n", "b.txt": "b\n" });
  const second = await call("2", { "a.txt": "two\n", "b.txt": null });
  say("results");
  const recorded = await files.recordScans([first, second]);
  expect(told(session)).toEqual(["results", { by: "tool", callIds: ["1", "2"], paths: ["a.txt"] }]);
  expect(recorded?.changes.map(({ before, after }) => [before, after])).toEqual([
    [expect.objectContaining({ size: 6 }), expect.objectContaining({ size: 4 })],
  ]);
});

test("another process continues with a scan that was kept as JSON, and records it once", async () => {
  const { session, root, store, say, call, write, at } = await place();
  say("do it");
  const kept = JSON.stringify(await call("1", { "a.txt": "one\n" }));
  const file = session.getSessionFile() as string;
  session.close();
  write({ "later.txt": "x\n" });
  const again = SessionManager.open(file);
  const files = new SessionFiles({
    session: again,
    root,
    store,
    scanner: new FolderScanner({ root, store, largest: 1 << 20 }),
  });
  again.appendMessage({ role: "user", content: "result of 1", timestamp: 0 });
  const scan = JSON.parse(kept) as FilesScan;
  await files.recordScans([scan]);
  // Killed in the middle: it settles again.
  expect(await files.recordScans([scan])).toBeUndefined();
  expect(told(again)).toEqual(["do it", "result of 1", { by: "tool", callIds: ["1"], paths: ["a.txt"] }]);
  expect(await files.recordOutside()).toBeUndefined();
  expect(readFileSync(at("a.txt"), "utf8")).toBe("one\n");
  again.close();
});

test.each([
  ["another record", "record"],
  ["a move with the files", "follow"],
  ["a move without the files", "stay"],
])("a scan that is still kept is recorded before %s", async (_what, how) => {
  const { session, files, say, call, read, write, go } = await place();
  const first = say("first");
  const prompt = say("do it");
  const scan = await call("1", { "a.txt": "one\n" });
  if (how === "record") {
    write({ "mine.txt": "x\n" });
    await files.record({ by: "person" });
    expect(told(session).slice(2)).toEqual([
      { by: "tool", callIds: ["1"], paths: ["a.txt"] },
      { by: "person", paths: ["mine.txt"] },
    ]);
    return;
  }
  if (how === "follow") {
    const plan = await go(first);
    expect(plan.conflicts).toEqual([]);
    expect(read("a.txt")).toBe("start\n");
  } else {
    const stayed = await files.staying(first);
    session.branch(first);
    stayed();
    expect((await files.differing()).map(({ path }) => path)).toEqual(["a.txt"]);
  }
  const [tip] = session.getChildren(prompt);
  expect(told(session, tip?.id)).toEqual(["first", "do it", { by: "tool", callIds: ["1"], paths: ["a.txt"] }]);
  // It is in the session by now.
  expect(await files.recordScans([scan])).toBeUndefined();
});

test("a scan is recorded on the branch that it belongs to while the person is on another", async () => {
  const { session, files, say, call, read, go } = await place();
  const first = say("first");
  const work = say("work in the background");
  const stayed = await files.staying(first);
  session.branch(first);
  stayed();
  const here = say("something else");
  const scan = await call("1", { "a.txt": "one\n" });
  const recorded = await files.recordScans([scan], { below: work });
  expect(session.getLeafId()).toBe(here);
  expect(told(session, recorded?.entryId)).toEqual([
    "first",
    "work in the background",
    { by: "tool", callIds: ["1"], paths: ["a.txt"] },
  ]);
  expect((await files.differing()).map(({ path }) => path)).toEqual(["a.txt"]);
  await go(work);
  expect(read("a.txt")).toBe("one\n");
  await go(here);
  expect(read("a.txt")).toBe("start\n");
  const file = session.getSessionFile() as string;
  expect(SessionManager.open(file, undefined, { readOnly: true }).getLeafId()).toBe(here);
});

test("changes of the person between two kept scans are not the tool's", async () => {
  const { session, files, say, call, write } = await place();
  const first = await call("1", { "a.txt": "one\n" });
  write({ "a.txt": "by hand\n" });
  const { changes } = (await files.scan({ by: "person" }))?.records[0] ?? { changes: [] };
  expect(changes).toMatchObject([{ path: "a.txt", after: { size: 8 } }]);
  const second = await call("2", { "a.txt": "two\n" });
  say("results");
  await files.recordScans([first]);
  await files.recordScans([second]);
  expect(told(session)).toEqual([
    "results",
    { by: "tool", callIds: ["1"], paths: ["a.txt"] },
    { by: "person", paths: ["a.txt"] },
    { by: "tool", callIds: ["2"], paths: ["a.txt"] },
  ]);
});
