/** Empty folders: going back removes those that a step made, and never one that existed before. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { FilesPlace, git } from "../../../../test/support/files-place.js";
import { tempFolder } from "../../../../test/support/temp-folder.js";

async function place(kind: "git" | "folder", fill: (here: FilesPlace) => void) {
  const root = tempFolder();
  const here = new FilesPlace({ root, isGit: kind === "git" });
  here.write("a.txt", "a\n");
  fill(here);
  if (kind === "git") {
    git(root, "init", "--quiet");
    git(root, "add", "-A");
  }
  // Wait until what exists at the first scan is older than the resolution of the file system's clock.
  const isOld = (name: string) => Date.now() - statSync(here.at(name)).ctimeMs > 200;
  await vi.waitFor(() => expect(readdirSync(root).every(isOld)).toBe(true), { timeout: 60_000, interval: 10 });
  await here.files.begin();
  return here;
}

const KINDS = ["git", "folder"] as const;

/** Some file systems do not report when a folder was created, or report its last change instead. */
const hasBirthTimes = await (async () => {
  const folder = mkdtempSync(join(tmpdir(), "bough-test-"));
  const { birthtimeMs, ctimeMs } = statSync(folder);
  await vi.waitFor(() => {
    chmodSync(folder, 0o700);
    expect(statSync(folder).ctimeMs).toBeGreaterThan(ctimeMs);
  });
  const isSame = statSync(folder).birthtimeMs === birthtimeMs;
  rmdirSync(folder);
  return birthtimeMs !== 0 && isSame;
})();

test.runIf(hasBirthTimes).each(KINDS)(
  "in a %s, an empty folder that was there before a step wrote into it stays",
  async (kind) => {
    const here = await place(kind, (place) => void mkdirSync(place.at("mine/inner"), { recursive: true }));
    const first = here.say("first");
    const second = await here.step("second", () => here.write("mine/inner/x.txt", "x"));
    await here.go(first);
    expect([existsSync(here.at("mine/inner")), existsSync(here.at("mine/inner/x.txt"))]).toEqual([true, false]);
    await here.go(second);
    expect(existsSync(here.at("mine/inner/x.txt"))).toBe(true);
    await here.go(first);
    expect(readdirSync(here.at("mine/inner"))).toEqual([]);
  },
);

test.runIf(hasBirthTimes).each(KINDS)("in a %s, folders that a step made go with their files", async (kind) => {
  const here = await place(kind, (place) => void mkdirSync(place.at("mine")));
  const first = here.say("first");
  await here.step("second", () => here.write("mine/made/deep/x.txt", "x"));
  await here.go(first);
  expect([existsSync(here.at("mine")), existsSync(here.at("mine/made"))]).toEqual([true, false]);
});

test.each(KINDS)("in a %s, a folder that a step moved is only where it was before", async (kind) => {
  const here = await place(kind, (place) => {
    place.write("src/deep/x.txt", "x");
    place.write("src/y.txt", "y");
  });
  const first = here.say("first");
  const second = await here.step("second", () => {
    renameSync(here.at("src"), here.at("lib"));
    here.write("lib/new.txt", "new");
  });
  await here.go(first);
  expect(readdirSync(here.root).filter((name) => name !== ".git")).toEqual(["a.txt", "src"]);
  await here.go(second);
  expect(readdirSync(here.root).filter((name) => name !== ".git")).toEqual(["a.txt", "lib"]);
});

test.each(KINDS)("in a %s, a folder that a step emptied and left is left by going forward too", async (kind) => {
  const here = await place(kind, (place) => {
    place.write("left/x.txt", "x");
    place.write("gone/x.txt", "x");
  });
  const first = here.say("first");
  const second = await here.step("second", () => {
    rmSync(here.at("left/x.txt"));
    rmSync(here.at("gone"), { recursive: true });
  });
  await here.go(first);
  expect(["left/x.txt", "gone/x.txt"].map((path) => existsSync(here.at(path)))).toEqual([true, true]);
  await here.go(second);
  expect(["left", "left/x.txt", "gone"].map((path) => existsSync(here.at(path)))).toEqual([true, false, false]);
});
