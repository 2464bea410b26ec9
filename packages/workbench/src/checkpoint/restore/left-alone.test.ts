/** What a restore leaves alone: files that are saved while it runs, and files that would be in their place. */
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { FileState } from "@bough/session/entry/index.js";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { filesPlace } from "../files-place.test-support.js";
import { RealFolders } from "../real-folders.js";
import { BlobStore, hashOf } from "../store/blob-store.js";
import { applyFiles } from "./apply-files.js";
import { finishRestore, signatureAt } from "./finish-restore.js";
import { commitJournal, journalFolder, writeJournal } from "./journal.js";
import { planFiles } from "./plan-files.js";
import { settleRestores } from "./settle-restores.js";

const file = (text: string): FileState => ({ hash: hashOf(Buffer.from(text)), mode: "644", size: text.length });
const read = (path: string) => (existsSync(path) ? readFileSync(path, "utf8") : undefined);

/** A restore just past the point of no return: `changed` and `x` are to be written, `gone` to be deleted. */
function committed() {
  const [root, store] = [tempFolder(), tempFolder()];
  const at = (path: string) => join(root, path);
  for (const path of ["changed", "gone"]) writeFileSync(at(path), "old");
  mkdirSync(at("x"));
  writeFileSync(at("x/inner"), "old");
  const steps = [
    { path: "changed", present: file("old"), wanted: file("new"), temporary: "1.tmp" },
    { path: "gone", present: file("old"), wanted: null },
    { path: "x", present: null, wanted: file("new"), temporary: "2.tmp" },
    { path: "x/inner", present: file("old"), wanted: null },
  ];
  for (const name of ["1.tmp", "2.tmp"]) writeFileSync(at(name), "new");
  const journal = commitJournal(writeJournal(store, "id", { root, steps }));
  const folders = new RealFolders(root);
  const seen = new Map(steps.map(({ path }) => [path, signatureAt(folders, path)]));
  const finish = () => finishRestore(journal, { seen });
  return { root, store, at, finish };
}

test("what is saved after the point of no return is left alone, and named", async () => {
  const { root, store, at, finish } = committed();
  for (const path of ["changed", "gone", "x/inner"]) writeFileSync(at(path), "saved by the person");
  expect(await finish()).toEqual(["changed", "gone", "x", "x/inner"]);
  for (const path of ["changed", "gone", "x/inner"]) expect(read(at(path))).toBe("saved by the person");
  expect([readdirSync(root), readdirSync(journalFolder(store))]).toEqual([["changed", "gone", "x"], []]);
});

test("a file whose time alone changed is the same file", async () => {
  const { root, at, finish } = committed();
  for (const path of ["changed", "gone"]) linkSync(at(path), join(tempFolder(), "other-name"));
  expect(await finish()).toEqual([]);
  expect([readdirSync(root), read(at("changed")), read(at("x"))]).toEqual([["changed", "x"], "new", "new"]);
});

test("nothing is written through a link that came after the point of no return", async () => {
  const [root, store, outside] = [tempFolder(), tempFolder(), tempFolder()];
  const steps = [{ path: "folder/a", present: null, wanted: file("new"), temporary: "1.tmp" }];
  writeFileSync(join(root, "1.tmp"), "new");
  const journal = commitJournal(writeJournal(store, "id", { root, steps }));
  symlinkSync(outside, join(root, "folder"));
  expect(await finishRestore(journal, { seen: new Map() })).toEqual(["folder/a"]);
  expect([readdirSync(outside), readdirSync(root)]).toEqual([[], ["folder"]]);
});

test("finishing a restore keeps folders that were there without it", async () => {
  const [root, store] = [tempFolder(), tempFolder()];
  const steps = ["own/made/x", "own/y"].map((path) => ({ path, present: file("old"), wanted: null }));
  mkdirSync(join(root, "own/made"), { recursive: true });
  for (const { path } of steps) writeFileSync(join(root, path), "old");
  const blobs = new BlobStore(store);
  await blobs.put(Buffer.from("old"));
  commitJournal(writeJournal(store, "id", { root, steps, folders: ["own"] }));
  expect(await settleRestores({ store, root })).toEqual([{ root, now: "after", left: [] }]);
  expect(readdirSync(root, { recursive: true })).toEqual(["own"]);
});

/** At `a`, `x` is a file; at `b`, `x` is a folder with a file in it. The disk is as at `a`. */
async function fileOrFolder() {
  const place = await filesPlace();
  const { write, step, files, session } = place;
  write({ x: "file", other: "old" });
  const a = await step("a", { more: "1" });
  const b = await step("b", () => {
    write({ x: null });
    write({ "x/y": "in a folder", other: "new" });
  });
  const go = async (to: typeof a) => files.follow(to, { plan: await files.plan(to), move: () => session.branch(to) });
  return { ...place, a, b, go };
}

test("a file below a conflict that is kept is kept too, and the rest is restored", async () => {
  const { at, write, files, go, a, b } = await fileOrFolder();
  await go(a);
  write({ x: "changed by the person" });
  expect(await go(b)).toMatchObject({ kind: "done", written: ["other"], kept: ["x", "x/y"] });
  expect([read(at("x")), read(at("other"))]).toEqual(["changed by the person", "new"]);
  // It is recorded only once.
  expect(await files.record({ by: "person" })).toBeUndefined();
});

test("a file stays away where a folder holds a conflict that is kept", async () => {
  const { at, write, go, a } = await fileOrFolder();
  write({ "x/y": "changed by the person" });
  expect(await go(a)).toMatchObject({ kind: "done", written: ["other"], kept: ["x/y", "x"] });
  expect([read(at("x/y")), read(at("other"))]).toEqual(["changed by the person", "old"]);
});

test("a chosen path is kept if what blocks it is not chosen", async () => {
  const { at, files, go, a, b } = await fileOrFolder();
  await go(a);
  const outcome = await files.restoreHere(await files.plan(b), { paths: ["x/y", "other"] });
  expect(outcome).toMatchObject({ kind: "done", written: ["other"], deleted: [], kept: ["x/y"] });
  expect(outcome.recorded?.changes.map(({ path }) => path)).toEqual(["other"]);
  expect([read(at("x")), read(at("other"))]).toEqual(["file", "new"]);
});

test("a file below another wanted one is a conflict, and a plan that has it all the same is refused", async () => {
  const [root, outside] = [tempFolder(), tempFolder()];
  const store = new BlobStore(tempFolder());
  await store.put(Buffer.from("new"));
  const targets = [
    { path: "a", expected: null, wanted: { link: outside }, byPerson: false },
    { path: "a/b", expected: null, wanted: file("new"), byPerson: false },
  ];
  const plan = await planFiles(targets, { root, store });
  expect(plan.files.map(({ path }) => path)).toEqual(["a"]);
  expect([plan.conflicts, plan.bytes]).toMatchObject([[{ path: "a/b", why: "file-above" }], 0]);
  const files = targets.map(({ path, wanted, byPerson }) => ({ path, present: null, wanted, byPerson }));
  await expect(applyFiles({ ...plan, files }, { store })).rejects.toMatchObject({ code: "unsafe-path" });
  expect([readdirSync(root), readdirSync(outside)]).toEqual([[], []]);
});
