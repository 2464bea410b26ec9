/** Random trees of changes, walked in every direction, compared with a model that knows nothing of plans. */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import type { EntryId, FileDelta, FileState } from "@bough/session/entry/index.js";
import { type FileStep, fileTargets } from "@bough/session/tree/index.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { sampledRuns } from "../../../../../test/support/sampled.js";
import { damageContent, removeContent } from "../../../../../test/support/stored-contents.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { diskFile } from "../disk-file.js";
import { BlobStore, hashOf } from "../store/blob-store.js";
import { applyFiles } from "./apply-files.js";
import { planFiles } from "./plan-files.js";

/** A file in the model. */
type Content = { readonly text: string; readonly executable: boolean } | { readonly link: string };
type World = ReadonlyMap<string, Content>;

const PATHS = ["a", "b", "a/b", "a/b/c", "d/e", "d/f", "line\nbreak", "é"];

const change = fc.record({
  path: fc.constantFrom(...PATHS),
  content: fc.option(
    fc.oneof(
      fc.record({ text: fc.constantFrom("", "one\n", "two\r\n", "\u0000\u0001"), executable: fc.boolean() }),
      fc.record({ link: fc.constantFrom("a", "nowhere") }),
    ),
    { nil: undefined },
  ),
});

/** A tree of steps, each below an earlier one. */
const steps = fc.array(fc.record({ parent: fc.nat(), changes: fc.array(change, { minLength: 1, maxLength: 4 }) }), {
  minLength: 1,
  maxLength: 8,
});

function changed(
  world: World,
  changes: readonly { readonly path: string; readonly content: Content | undefined }[],
): World {
  const next = new Map(world);
  for (const { path, content } of changes) {
    if (content === undefined) {
      next.delete(path);
      continue;
    }
    // As on a disk, a path cannot be both a file and a folder.
    for (const other of next.keys())
      if (other.startsWith(`${path}/`) || path.startsWith(`${other}/`)) next.delete(other);
    next.set(path, content);
  }
  return next;
}

function write(root: string, world: World): void {
  for (const [path, content] of world) {
    const file = join(root, path);
    mkdirSync(dirname(file), { recursive: true });
    if ("link" in content) symlinkSync(content.link, file);
    else {
      writeFileSync(file, content.text);
      chmodSync(file, content.executable ? 0o755 : 0o644);
    }
  }
}

function read(root: string, folder = ""): Map<string, Content> {
  const world = new Map<string, Content>();
  for (const name of readdirSync(join(root, folder)).sort()) {
    const path = folder === "" ? name : `${folder}/${name}`;
    const stats = lstatSync(join(root, path));
    if (stats.isDirectory()) for (const [inner, content] of read(root, path)) world.set(inner, content);
    else if (stats.isSymbolicLink()) world.set(path, { link: readlinkSync(join(root, path)) });
    else world.set(path, { text: readFileSync(join(root, path), "utf8"), executable: (stats.mode & 0o100) !== 0 });
  }
  return world;
}

const sorted = (world: World) => [...world].sort(([a], [b]) => (a < b ? -1 : 1));

async function stateOf(content: Content | undefined, store: BlobStore): Promise<FileState> {
  if (content === undefined) return null;
  if ("link" in content) return content;
  const bytes = Buffer.from(content.text);
  await store.put(bytes);
  return { hash: hashOf(bytes), mode: content.executable ? "755" : "644", size: bytes.length };
}

async function deltas(before: World, after: World, store: BlobStore): Promise<readonly FileDelta[]> {
  const found: FileDelta[] = [];
  for (const path of new Set([...before.keys(), ...after.keys()])) {
    const states = [await stateOf(before.get(path), store), await stateOf(after.get(path), store)] as const;
    if (JSON.stringify(states[0]) !== JSON.stringify(states[1]))
      found.push({ path, before: states[0], after: states[1] });
  }
  return found;
}

interface Node {
  readonly parent: number;
  readonly world: World;
  readonly step: FileStep;
}

function way(nodes: readonly Node[], from: number, to: number): { up: FileStep[]; down: FileStep[] } {
  const pathOf = (at: number): number[] => (at < 0 ? [] : [...pathOf(nodes[at]?.parent ?? -1), at]);
  const [old, next] = [pathOf(from), pathOf(to)];
  const shared = old.filter((at) => next.includes(at)).length;
  const stepsOf = (path: readonly number[]) => path.slice(shared).map((at) => (nodes[at] as Node).step);
  return { up: stepsOf(old).reverse(), down: stepsOf(next) };
}

test("moving anywhere in a tree of changes leaves every file as it was recorded there, and the others alone", async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.array(fc.nat(), { minLength: 1, maxLength: 6 }), async (made, moves) => {
      const root = tempFolder();
      const store = new BlobStore(tempFolder());
      const untouched = join(root, "other.txt");
      writeFileSync(untouched, "mine");
      const nodes: Node[] = [];
      for (const { parent, changes } of made) {
        const at = nodes.length === 0 ? -1 : (parent % (nodes.length + 1)) - 1;
        const before: World = nodes[at]?.world ?? new Map();
        const world = changed(before, changes);
        const step: FileStep = {
          entryId: String(nodes.length) as EntryId,
          by: "tool",
          changes: await deltas(before, world, store),
        };
        nodes.push({ parent: at, world, step });
      }
      let position = nodes.length - 1;
      write(root, (nodes[position] as Node).world);
      for (const move of moves) {
        const to = (move % (nodes.length + 1)) - 1;
        const plan = await planFiles(fileTargets(way(nodes, position, to)), { root, store });
        expect([plan.conflicts, plan.missing]).toEqual([[], []]);
        await applyFiles(plan, { store });
        position = to;
        const expected = new Map(nodes[position]?.world ?? []);
        expected.set("other.txt", { text: "mine", executable: false });
        expect(sorted(read(root))).toEqual(sorted(expected));
      }
    }),
    { numRuns: sampledRuns({ all: 1000, some: 60 }) },
  );
});

const file = (text: string): FileState => ({ hash: hashOf(Buffer.from(text)), mode: "644", size: text.length });

async function place() {
  const root = tempFolder();
  const store = new BlobStore(tempFolder());
  for (const text of ["old", "new", "mine"]) await store.put(Buffer.from(text));
  const plan = (path: string, expected: FileState, wanted: FileState) =>
    planFiles([{ path, expected, wanted, byPerson: false }], { root, store });
  return { root, store, plan };
}

test("a file that is neither what the session left nor what it would become is a conflict, and stays", async () => {
  const { root, store, plan } = await place();
  writeFileSync(join(root, "a"), "mine");
  const planned = await plan("a", file("new"), file("old"));
  expect(planned.files).toEqual([]);
  expect(planned.conflicts).toMatchObject([{ path: "a", why: "changed", present: file("mine") }]);
  await applyFiles(planned, { store });
  expect(readFileSync(join(root, "a"), "utf8")).toBe("mine");
});

test("a file that changes between plan and restore stops the restore, with everything as it was", async () => {
  const { root, store, plan } = await place();
  writeFileSync(join(root, "a"), "new");
  const planned = await plan("a", file("new"), file("old"));
  writeFileSync(join(root, "a"), "mine");
  await expect(applyFiles(planned, { store })).rejects.toMatchObject({ code: "files-changed" });
  expect(readdirSync(root)).toEqual(["a"]);
  expect(readFileSync(join(root, "a"), "utf8")).toBe("mine");
});

test("nothing is written through a link in a folder above, or where a folder is", async () => {
  const { root, plan } = await place();
  const outside = tempFolder();
  symlinkSync(outside, join(root, "linked"));
  mkdirSync(join(root, "folder", "inner"), { recursive: true });
  writeFileSync(join(root, "folder", "inner", "x"), "mine");
  expect((await plan("linked/a", null, file("new"))).conflicts).toMatchObject([{ why: "link-above" }]);
  expect((await plan("folder", null, file("new"))).conflicts).toMatchObject([{ why: "folder" }]);
  expect((await plan("folder/inner/x/y", null, file("new"))).conflicts).toMatchObject([{ why: "file-above" }]);
});

test("a content that is not here is named, and the rest can be restored", async () => {
  const { root, store, plan } = await place();
  await removeContent(store, hashOf(Buffer.from("old")));
  writeFileSync(join(root, "a"), "new");
  expect(await plan("a", file("new"), file("old"))).toMatchObject({ files: [], missing: [{ path: "a" }] });
  expect(await plan("b", null, file("new"))).toMatchObject({ files: [{ path: "b" }], missing: [] });
});

test("a damaged content is found before anything changes", async () => {
  const { root, store, plan } = await place();
  damageContent(store, hashOf(Buffer.from("old")));
  writeFileSync(join(root, "a"), "new");
  const planned = await plan("a", file("new"), file("old"));
  await expect(applyFiles(planned, { store })).rejects.toMatchObject({ code: "blob-damaged" });
  expect(readdirSync(root)).toEqual(["a"]);
  expect(diskFile(root, "a")).toMatchObject({ state: file("new") });
});

test("a damaged content among many files: nothing is left beside them", async () => {
  const { root, store } = await place();
  const names = Array.from({ length: 250 }, (_, at) => String(at).padStart(3, "0"));
  for (const name of names) writeFileSync(join(root, name), "new");
  const targets = names.map((path) => ({ path, expected: file("new"), wanted: file("old"), byPerson: false }));
  const last = { path: "250", expected: null, wanted: file("mine"), byPerson: false };
  const planned = await planFiles([...targets, last], { root, store });
  damageContent(store, hashOf(Buffer.from("mine")));
  await expect(applyFiles(planned, { store })).rejects.toMatchObject({ code: "blob-damaged" });
  expect(readdirSync(root)).toEqual(names);
  expect(new Set(names.map((name) => readFileSync(join(root, name), "utf8")))).toEqual(new Set(["new"]));
});

test("what was replaced is in the store, and permissions stay", async () => {
  const { root, store, plan } = await place();
  writeFileSync(join(root, "a"), "unsaved", { mode: 0o600 });
  await applyFiles(await plan("a", file("unsaved"), { ...(file("old") as object), mode: "755" } as FileState), {
    store,
  });
  expect((await store.get(hashOf(Buffer.from("unsaved")))).toString()).toBe("unsaved");
  expect(lstatSync(join(root, "a")).mode & 0o777).toBe(0o700);
});
