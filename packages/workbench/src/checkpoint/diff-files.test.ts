/** Differences of real files, checked by applying them with git. */
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { EntryId } from "@bough/session/entry/index.js";
import {
  differenceLines,
  differenceList,
  differenceTotals,
  type FileDifference,
  patchOf,
} from "@bough/session/view/door.js";
import { lineText } from "@bough/session/view/index.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { damageContent, removeContent } from "../../../../test/support/stored-contents.js";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { type ChangedFiles, countDifferences, diffFiles, filesBetween, filesToDisk } from "./diff-files.js";
import { filesPlace } from "./files-place.test-support.js";
import { BlobStore } from "./store/blob-store.js";

type Place = Awaited<ReturnType<typeof filesPlace>>;

async function all(found: ChangedFiles, options: Parameters<typeof diffFiles>[1]): Promise<FileDifference[]> {
  const differences: FileDifference[] = [];
  for await (const one of diffFiles(found, options)) differences.push(one);
  return differences;
}

async function between({ session, store, numberOf }: Place, from: EntryId | null, to: EntryId | null) {
  const found = await filesBetween(session.getSource(), { from: numberOf(from), to: numberOf(to) }, { store });
  return { found, differences: await all(found, { store }) };
}

async function toDisk({ session, store, root, numberOf }: Place, from: EntryId | null, paths?: readonly string[]) {
  const options = { store, root, paths };
  const found = await filesToDisk(session.getSource(), numberOf(from), options);
  return { found, differences: await all(found, { store, disk: root }) };
}

const names = (differences: readonly FileDifference[]) => differenceList(differences).map(lineText);

/** Every file below a folder: its text, its link target or its executable bit. */
function contentsOf(folder: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const item of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(item.parentPath, item.name);
    if (item.isDirectory() || path.includes("/.git/")) continue;
    const stats = lstatSync(path);
    const name = path.slice(folder.length + 1);
    found[name] = stats.isSymbolicLink()
      ? `-> ${readlinkSync(path)}`
      : `${stats.mode & 0o100 ? "x " : ""}${readFileSync(path, "latin1")}`;
  }
  return found;
}

/** The patch applied by git to a copy of the folder. */
function applied(folder: string, differences: readonly FileDifference[]): Record<string, string> {
  const copy = join(tempFolder(), "copy");
  cpSync(folder, copy, { recursive: true, verbatimSymlinks: true });
  execFileSync("git", ["init", "--quiet", "--template="], { cwd: copy });
  const input = differences.map(patchOf).join("");
  execFileSync("git", ["-c", "core.autocrlf=false", "apply", "--allow-empty", "--whitespace=nowarn", "-"], {
    cwd: copy,
    input,
  });
  return contentsOf(copy);
}

test("what was added, deleted, changed, renamed, linked or made executable is named, counted, and a patch for git", async () => {
  const place = await filesPlace();
  const { root, write, say, step, at } = place;
  write({
    "a.txt": "one\ntwo\nthree\n",
    "crlf.txt": "one\r\ntwo\r\n",
    "end.txt": "no newline",
    "gone.txt": "gone\n",
    "moved.txt": "moved content\n",
    "run.sh": "#!/bin/sh\n",
    'spa ce\t"q".txt': "x\n",
    "line\nbreak.txt": "x\n",
  });
  symlinkSync("a.txt", at("link"));
  const start = contentsOf(root);
  const copy = join(tempFolder(), "start");
  cpSync(root, copy, { recursive: true, verbatimSymlinks: true });
  const first = say("first");
  const last = await step("change", () => {
    write({
      "a.txt": "one\n2\nthree\nfour\n",
      "crlf.txt": "one\r\n2\r\n",
      "end.txt": "no newline here either",
      "gone.txt": null,
      "src/new.txt": "new\n",
      "empty.txt": "",
      'spa ce\t"q".txt': "y\n",
      "line\nbreak.txt": "y\n",
    });
    mkdirSync(at("deep"));
    renameSync(at("moved.txt"), at("deep/moved.txt"));
    chmodSync(at("run.sh"), 0o755);
    rmSync(at("link"));
    symlinkSync("crlf.txt", at("link"));
  });
  const { differences } = await between(place, first, last);
  expect(names(differences)).toEqual([
    "M a.txt                        +2 -1",
    "M crlf.txt                     +1 -1",
    "R moved.txt => deep/moved.txt  ",
    "A empty.txt                    empty",
    "M end.txt                      +1 -1",
    "D gone.txt                     -1",
    "M line\\nbreak.txt              +1 -1",
    "M link                         +1 -1",
    "X run.sh                       mode 755",
    'M spa ce\\t"q".txt              +1 -1',
    "A src/new.txt                  +1",
  ]);
  expect(differenceTotals(differences)).toBe("11 files changed, 8 lines added, 7 removed");
  expect(applied(copy, differences)).toEqual(contentsOf(root));
  const back = (await between(place, last, first)).differences;
  expect(applied(root, back)).toEqual(start);
});

const LINE = fc.constantFrom("a\n", "b\n", "c\n", "\n", "d\r\n", "-- x\n", "++ y\n", "@@ z\n", "é\u2028\n");
const TEXT = fc
  .tuple(fc.array(LINE, { maxLength: 30 }), fc.constantFrom("", "end"))
  .map(([lines, end]) => lines.join("") + end);

test("the patch of any two texts is one that git applies, both ways", async () => {
  const place = await filesPlace();
  await fc.assert(
    fc.asyncProperty(TEXT, TEXT, async (before, after) => {
      const start = await place.step("before", { "f.txt": before });
      const end = await place.step("after", { "f.txt": after });
      const { differences } = await between(place, end, start);
      expect(applied(place.root, differences)["f.txt"]).toBe(Buffer.from(before).toString("latin1"));
    }),
    { numRuns: 15 },
  );
});

test("texts with thousands of differences are one replaced stretch, and still a patch", async () => {
  const place = await filesPlace();
  const many = Array.from({ length: 2000 }, (_, n) => `line ${n}\n`);
  // The same lines in reverse order, so that only a full comparison shows how much differs.
  const start = await place.step("before", { "f.txt": `same\n${many.join("")}same\n` });
  const end = await place.step("after", { "f.txt": `same\n${many.toReversed().join("")}same\n` });
  const { differences } = await between(place, end, start);
  expect(differences).toMatchObject([{ added: 2000, removed: 2000 }]);
  expect(applied(place.root, differences)["f.txt"]).toBe(`same\n${many.join("")}same\n`);
});

test("on the way to another branch only what differs at the ends is named", async () => {
  const place = await filesPlace();
  const { session, files, step, say } = place;
  const first = say("first");
  const one = await step("one", { "a.txt": "one\n", "same.txt": "same\n" });
  await files.restore(await files.plan(first));
  session.branch(first);
  const two = await step("two", { "a.txt": "two\n", "same.txt": "same\n" });
  expect(names((await between(place, one, two)).differences)).toEqual(["M a.txt  +1 -1"]);
  expect((await between(place, one, one)).differences).toEqual([]);
});

test("binary files, and contents that are missing or damaged, are named and not shown", async () => {
  const place = await filesPlace();
  const { store, step } = place;
  await step("before", { binary: Buffer.from([0, 1]), latin: Buffer.from([0xe9]), lost: "lost\n", broken: "broken\n" });
  const from = place.session.getLeafId() as EntryId;
  const to = await step("after", { binary: Buffer.from([0, 2]), latin: "é", lost: "x\n", broken: "y\n" });
  const source = place.session.getEntry(from) as unknown as {
    data: { changes: { path: string; after: { hash: string } }[] };
  };
  const hashOf = (path: string) => source.data.changes.find((change) => change.path === path)?.after.hash as string;
  await removeContent(store, hashOf("lost"));
  damageContent(store, hashOf("broken"));
  const { differences } = await between(place, from, to);
  expect(differences.map(({ path, noDiff }) => [path, noDiff])).toEqual([
    ["binary", "binary"],
    ["broken", "damaged"],
    ["latin", "binary"],
    ["lost", "missing"],
  ]);
  expect(names(differences)).toEqual([
    "M binary  binary, 2 B",
    "M broken  stored content damaged",
    "M latin   binary, 2 B",
    "M lost    content not on this machine",
  ]);
  expect(differences.map((one) => differenceLines(one).map(lineText).at(-1))).toEqual([
    "Binary files a/binary and b/binary differ",
    "No diff: stored content damaged",
    "Binary files a/latin and b/latin differ",
    "No diff: content not on this machine",
  ]);
});

test("a list of changes that is not here is reported, and the rest is compared", async () => {
  const place = await filesPlace();
  const { store, step, say } = place;
  const first = say("first");
  const many = await step("many", Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`many/${n}`, `${n}`])));
  const last = await step("more", { "a.txt": "a\n" });
  const { data } = place.session.getEntry(many) as unknown as { data: { changesIn: string } };
  await removeContent(store, data.changesIn);
  const { found, differences } = await between(place, first, last);
  expect([found.unread, names(differences)]).toEqual([[many], ["A a.txt  +1"]]);
  const disk = await toDisk(place, first);
  expect([disk.found.unread, names(disk.differences)]).toEqual([[many], ["A a.txt  +1"]]);
});

test("an entry and the disk: every path that the session names, on whatever branch, as it is now", async () => {
  const place = await filesPlace();
  const { session, files, step, say, write, at } = place;
  write({ "a.txt": "start\n", "person.txt": "start\n" });
  const first = say("first");
  const one = await step("one", { "a.txt": "one\n", "only-one.txt": "1\n", folder: "file\n" });
  await files.restore(await files.plan(first));
  session.branch(first);
  await step("two", { "person.txt": "two\n" });
  write({ "person.txt": "mine\n", "unknown.txt": "not of this session\n", folder: null });
  mkdirSync(at("folder"));
  writeFileSync(at("folder/x"), "x");
  const { found, differences } = await toDisk(place, one);
  expect(names(differences)).toEqual([
    "M a.txt         +1 -1",
    "D folder        a folder is in its place",
    "D only-one.txt  -1",
    "M person.txt    +1 -1",
  ]);
  expect([...found.blocked]).toEqual([["folder", "folder"]]);
  expect(names((await toDisk(place, one, ["person.txt", "fold"])).differences)).toEqual(["M person.txt  +1 -1"]);
  expect(names((await toDisk(place, null)).differences)).toEqual(["M person.txt  +1 -1"]);
});

test("what hides in a name or a line is shown, and long diffs are cut with a count", async () => {
  const place = await filesPlace();
  const from = place.say("first");
  const to = await place.step("change", { "a\x1b[31m\n.txt": "x\x1b[2J\u202e\r\nb\nc\nd\n" });
  const [difference] = (await between(place, from, to)).differences as [FileDifference];
  expect(names([difference])).toEqual(["A a\\x1b[31m\\n.txt  +4"]);
  expect(differenceLines(difference, { most: 7 }).map(lineText)).toEqual([
    'diff --git "a/a\\033[31m\\n.txt" "b/a\\033[31m\\n.txt"',
    "new file mode 100644",
    "--- /dev/null",
    '+++ "b/a\\033[31m\\n.txt"',
    "@@ -0,0 +1,4 @@",
    "+x\\x1b[2J\\u202e",
    "+b",
    "... 2 more lines",
  ]);
});

test("many files of the same content are told apart without comparing each with each", async () => {
  const state = { hash: "a".repeat(64), mode: "644", size: 1 } as const;
  const many = Array.from({ length: 100_000 }, (_, n) => ({ path: `old/${n}`, before: state, after: null }));
  const fresh = ["new/0", "new/1"].map((path) => ({ path, before: null, after: state }));
  const changes = [...fresh, ...many];
  expect(countDifferences({ changes })).toBe(100_000);
  let turns = 0;
  const counting = setInterval(() => turns++, 0);
  const differences = diffFiles({ changes, blocked: new Map() }, { store: new BlobStore(tempFolder()) });
  const first = await differences.next();
  clearInterval(counting);
  expect(first.value).toMatchObject({ path: "new/0", from: "old/0", change: "renamed" });
  expect((await differences.next()).value).toMatchObject({ path: "new/1", from: "old/1" });
  expect(turns).toBeGreaterThan(0);
});
