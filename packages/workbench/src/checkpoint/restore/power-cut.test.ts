/** What a power cut during a restore or soon after it destroys, and what the next start makes of it. */
import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { FileState } from "@bough/session/entry/index.js";
import { thisBoot } from "@bough/session/log/index.js";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { BlobStore, hashOf } from "../store/blob-store.js";
import { applyFiles } from "./apply-files.js";
import { commitJournal, journalFolder, writeJournal } from "./journal.js";
import { planFiles } from "./plan-files.js";
import { hasOpenRestores, settleRestores } from "./settle-restores.js";

const file = (text: string): FileState => ({ hash: hashOf(Buffer.from(text)), mode: "644", size: text.length });

/** Files with the content `old` in a folder, and a store with all contents. */
async function place(...paths: readonly string[]) {
  const [root, home] = [tempFolder(), tempFolder()];
  const store = new BlobStore(join(home, "files", "store"));
  for (const text of ["old", "new", "newer"]) await store.put(Buffer.from(text));
  const at = (path: string) => join(root, path);
  for (const path of paths) writeFileSync(at(path), "old");
  const read = (path: string) => (existsSync(at(path)) ? readFileSync(at(path), "utf8") : undefined);
  const restore = async (from: string, to: string | null) => {
    const wanted = to === null ? null : file(to);
    const targets = paths.map((path) => ({ path, expected: file(from), wanted, byPerson: false }));
    await applyFiles(await planFiles(targets, { root, store }), { store });
  };
  const placed = join(store.folder, "placed");
  const settle = () => settleRestores({ store: store.folder, root });
  return { root, home, store, paths, at, read, restore, placed, settle };
}

type Place = Awaited<ReturnType<typeof place>>;

/** Makes everything look as if it was written before the last boot. Restores ended now, or at `end`. */
function startAgain({ store, placed }: Place, end?: number): void {
  for (const folder of [journalFolder(store.folder), placed].filter((one) => existsSync(one))) {
    for (const name of readdirSync(folder)) {
      const text = readFileSync(join(folder, name), "utf8");
      writeFileSync(join(folder, name), text.replaceAll(thisBoot(), "another"));
      const [id, time, boot] = name.split(".");
      if (folder === placed && boot === thisBoot()) {
        renameSync(join(folder, name), join(folder, `${id}.${end ?? time}.another`));
      }
    }
  }
}

/** Writes again until the file system's clock has passed a moment. */
function writeAfter(moment: number, path: string, text: string): void {
  do writeFileSync(path, text);
  while (statSync(path).ctimeMs <= moment);
}

test("files of a restore that did not reach the disk are written again, and others are left alone", async () => {
  const here = await place("empty", "short", "zeros", "back", "gone", "whole", "changed", "emptied");
  await here.restore("old", "new");
  expect([readdirSync(here.placed).length, readdirSync(journalFolder(here.store.folder))]).toEqual([1, []]);
  for (const [path, text] of Object.entries({ empty: "", short: "n", zeros: "n\0\0", back: "old" })) {
    writeFileSync(here.at(path), text);
  }
  unlinkSync(here.at("gone"));
  writeFileSync(here.at("changed"), "now");
  const end = Math.ceil(
    Math.max(...["empty", "short", "zeros", "back"].map((path) => statSync(here.at(path)).ctimeMs)),
  );
  writeAfter(end, here.at("emptied"), "");
  startAgain(here, end);
  expect(await here.settle()).toEqual([{ root: here.root, now: "after", left: [] }]);
  expect(here.paths.map(here.read)).toEqual(["new", "new", "new", "new", undefined, "new", "now", ""]);
  expect(readdirSync(here.root).length).toBe(7);
  // They may be lost again until the system has been running for a while.
  expect(readdirSync(here.placed)).toEqual([expect.stringContaining(thisBoot())]);
  expect(await here.settle()).toEqual([]);
});

test("a restore whose files are all there is forgotten without a word", async () => {
  const here = await place("a", "b");
  await here.restore("old", "new");
  startAgain(here);
  expect([await here.settle(), readdirSync(here.placed)]).toEqual([[], []]);
});

test("a deletion that did not reach the disk is done again", async () => {
  const here = await place("a");
  await here.restore("old", null);
  writeFileSync(here.at("a"), "old");
  startAgain(here, Date.now() + 1000);
  expect([await here.settle(), here.read("a")]).toMatchObject([[{ now: "after" }], undefined]);
});

test("a program that starts is told that a restore may have lost files, and only after a power cut", async () => {
  const here = await place("a");
  await here.restore("old", "new");
  expect(hasOpenRestores(here.home)).toBe(false);
  startAgain(here);
  expect(hasOpenRestores(here.home)).toBe(true);
  await here.settle();
  expect(hasOpenRestores(here.home)).toBe(false);
});

test("of several restores the last one counts", async () => {
  const here = await place("a", "b");
  await here.restore("old", "new");
  await here.restore("new", "newer");
  for (const path of ["a", "b"]) writeFileSync(here.at(path), "");
  startAgain(here);
  // Both ended after the files were lost, in the order in which they were made.
  const names = readdirSync(here.placed).sort((a, b) => Number(a.split(".")[1]) - Number(b.split(".")[1]));
  for (const [n, name] of names.entries()) {
    renameSync(join(here.placed, name), join(here.placed, `${n}.${Date.now() + 1000 + n}.another`));
  }
  await here.settle();
  expect(["a", "b"].map(here.read)).toEqual(["newer", "newer"]);
  expect(readdirSync(here.placed).length).toBe(1);
});

/** A restore of `changed`, `made` and `gone` that is about to begin, with its new contents in temporary files. */
async function prepared() {
  const here = await place("changed", "gone");
  const steps = [
    { path: "changed", present: file("old"), wanted: file("new"), temporary: "1.tmp" },
    { path: "gone", present: file("old"), wanted: null },
    { path: "link", present: null, wanted: { link: "changed" }, temporary: "2.tmp" },
    { path: "made", present: null, wanted: file("new"), temporary: "3.tmp" },
  ];
  for (const name of ["1.tmp", "3.tmp"]) writeFileSync(here.at(name), "new");
  symlinkSync("changed", here.at("2.tmp"));
  const journal = writeJournal(here.store.folder, "id", { root: here.root, steps });
  return { ...here, journal };
}

const AFTER = { changed: "new", link: "new", made: "new" };
const BEFORE = { changed: "old", gone: "old" };

function pictureOf({ root, read }: Place): Record<string, string | undefined> {
  return Object.fromEntries(readdirSync(root).map((name) => [name, read(name)]));
}

test.each<[string, (here: Place) => void]>([
  ["the first had taken its place", ({ at }) => renameSync(at("1.tmp"), at("changed"))],
  [
    "the first had taken its place and is empty",
    ({ at }) => {
      renameSync(at("1.tmp"), at("changed"));
      writeFileSync(at("changed"), "");
    },
  ],
  ["the first had made room", ({ at }) => unlinkSync(at("changed"))],
  ["a file was deleted", ({ at }) => unlinkSync(at("gone"))],
  [
    "one had taken its place and another one is nowhere",
    ({ at }) => {
      renameSync(at("1.tmp"), at("changed"));
      for (const name of ["2.tmp", "3.tmp"]) unlinkSync(at(name));
    },
  ],
])("a restore that never said that it began is completed if %s", async (_, cut) => {
  const here = await prepared();
  cut(here);
  startAgain(here);
  expect(await here.settle()).toEqual([{ root: here.root, now: "after", left: [] }]);
  expect([pictureOf(here), readdirSync(journalFolder(here.store.folder))]).toEqual([AFTER, []]);
});

test.each<[string, (here: Place) => void]>([
  ["all is prepared", () => {}],
  ["contents are missing", ({ at }) => rmSync(at("1.tmp"))],
  ["contents are empty", ({ at }) => writeFileSync(at("1.tmp"), "")],
])("a restore that had not begun is undone: %s", async (_, cut) => {
  const here = await prepared();
  cut(here);
  startAgain(here);
  expect(await here.settle()).toEqual([{ root: here.root, now: "before", left: [] }]);
  expect([pictureOf(here), readdirSync(journalFolder(here.store.folder))]).toEqual([BEFORE, []]);
});

test("contents that a power cut took from a restore that had begun come from the store", async () => {
  const here = await prepared();
  commitJournal(here.journal);
  writeFileSync(here.at("1.tmp"), "");
  for (const name of ["2.tmp", "3.tmp"]) unlinkSync(here.at(name));
  startAgain(here);
  expect(await here.settle()).toEqual([{ root: here.root, now: "after", left: [] }]);
  expect(pictureOf(here)).toEqual(AFTER);
});

test("without a power cut, a file that someone put back or deleted after a killed restore stays so", async () => {
  const here = await prepared();
  commitJournal(here.journal);
  // Both were in place when the process was killed.
  for (const name of ["1.tmp", "3.tmp"]) unlinkSync(here.at(name));
  expect(await here.settle()).toEqual([{ root: here.root, now: "after", left: [] }]);
  expect(pictureOf(here)).toEqual({ changed: "old", link: "old" });
});

test("an old restore is not kept", async () => {
  const here = await place("a");
  await here.restore("old", "new");
  const [name = ""] = readdirSync(here.placed);
  const [id, time, boot] = name.split(".");
  renameSync(join(here.placed, name), join(here.placed, `${id}.${Number(time) - 2 * 60 * 60_000}.${boot}`));
  await here.restore("new", "newer");
  expect(readdirSync(here.placed)).toEqual([expect.not.stringContaining(String(id))]);
});
