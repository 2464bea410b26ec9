/** A restore that is killed at any call to the system: the next start finds the folder before or after, never between. */
import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { FileState } from "@bough/session/entry/index.js";
import { BlobStore, planFiles, settleRestores } from "@bough/workbench/checkpoint/index.js";
import { expect, test } from "vitest";
import { sampledStep } from "./support/sampled.js";
import { tempFolder } from "./support/temp-folder.js";

const CHILD = fileURLToPath(new URL("support/restore-kill-child.mjs", import.meta.url));

/** Every path below a folder, with what it is. */
function picture(root: string, folder = ""): readonly string[] {
  return readdirSync(join(root, folder))
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      const stats = lstatSync(join(root, path));
      if (stats.isDirectory()) return picture(root, path);
      if (stats.isSymbolicLink()) return [`${path} -> ${readlinkSync(join(root, path))}`];
      return [`${path} ${stats.mode & 0o111 ? "x" : "-"} ${readFileSync(join(root, path), "utf8")}`];
    });
}

async function place() {
  const start = tempFolder();
  writeFileSync(join(start, "changed"), "old");
  writeFileSync(join(start, "deleted"), "deleted");
  writeFileSync(join(start, "mode"), "mode");
  mkdirSync(join(start, "folder"));
  writeFileSync(join(start, "folder", "inner"), "inner");
  writeFileSync(join(start, "file"), "file");
  symlinkSync("changed", join(start, "link"));
  writeFileSync(join(start, "other"), "other");
  const store = new BlobStore(join(tempFolder(), "store"));
  const state = async (text: string, mode: "644" | "755" = "644"): Promise<FileState> => ({
    hash: await store.put(Buffer.from(text)),
    mode,
    size: text.length,
  });
  const targets = [
    { path: "changed", expected: await state("old"), wanted: await state("new") },
    { path: "created/deep/file", expected: null, wanted: await state("created") },
    { path: "deleted", expected: await state("deleted"), wanted: null },
    { path: "file", expected: await state("file"), wanted: null },
    { path: "file/inside", expected: null, wanted: await state("inside") },
    { path: "folder", expected: null, wanted: await state("a file now") },
    { path: "folder/inner", expected: await state("inner"), wanted: null },
    { path: "link", expected: { link: "changed" }, wanted: { link: "other" } },
    { path: "mode", expected: await state("mode"), wanted: await state("mode", "755") },
  ].map((target) => ({ ...target, byPerson: false }));
  const run = async (killAt: number | "committed") => {
    const root = join(tempFolder(), "root");
    cpSync(start, root, { recursive: true, verbatimSymlinks: true });
    const storeHere = join(tempFolder(), "store");
    cpSync(store.folder, storeHere, { recursive: true });
    const plan = await planFiles(targets, { root, store });
    expect([plan.conflicts, plan.missing]).toEqual([[], []]);
    const file = join(tempFolder(), "plan.json");
    writeFileSync(file, JSON.stringify({ store: storeHere, plan }));
    const child = spawnSync(process.execPath, [CHILD, file, String(killAt)], { encoding: "utf8" });
    return { root, storeHere, child };
  };
  return { start, run };
}

test("a restore that is killed at any call is undone or finished at the next start", async () => {
  const { start, run } = await place();
  const whole = await run(0);
  expect([whole.child.status, whole.child.stderr]).toEqual([0, ""]);
  const calls = Number(whole.child.stdout);
  expect(calls).toBeGreaterThan(40);
  const [before, after] = [picture(start), picture(whole.root)];
  expect(after).toEqual([
    "changed - new",
    "created/deep/file - created",
    "file/inside - inside",
    "folder - a file now",
    "link -> other",
    "mode x mode",
    "other - other",
  ]);
  const ends = { before: 0, after: 0 };
  const every = sampledStep(13);
  for (let at = 1; at <= calls; at += every) {
    const { root, storeHere, child } = await run(at);
    expect([at, child.signal]).toEqual([at, "SIGKILL"]);
    await settleRestores({ store: storeHere, root });
    const now = picture(root);
    expect([at, [before, after].map((one) => JSON.stringify(one))]).toEqual([
      at,
      expect.arrayContaining([JSON.stringify(now)]),
    ]);
    ends[JSON.stringify(now) === JSON.stringify(before) ? "before" : "after"] += 1;
    const journals = join(storeHere, "journal");
    expect(existsSync(journals) ? readdirSync(journals) : []).toEqual([]);
  }
  expect([ends.before > 0, ends.after > 0]).toEqual([true, true]);
});

test("files created since a killed restore are left alone, and the rest is finished", async () => {
  const { run } = await place();
  // Everything is decided, and nothing is done yet.
  const { root, storeHere, child } = await run("committed");
  const journals = join(storeHere, "journal");
  expect([child.signal, existsSync(join(root, "deleted"))]).toEqual(["SIGKILL", true]);
  expect(readdirSync(journals)).toContainEqual(expect.stringMatching(/\.commit$/));
  const outside = tempFolder();
  symlinkSync(outside, join(root, "created"));
  writeFileSync(join(root, "changed"), "mine");
  const [settled] = await settleRestores({ store: storeHere, root });
  expect([settled?.now, settled?.left]).toEqual(["after", ["changed", "created/deep/file"]]);
  expect([readdirSync(outside), readFileSync(join(root, "changed"), "utf8")]).toEqual([[], "mine"]);
  expect(picture(root)).toContain("file/inside - inside");
  expect([existsSync(join(root, "deleted")), readdirSync(journals)]).toEqual([false, []]);
});
