/** Files that come into view were not made by the step that showed them: going back must not delete them. */
import { lstatSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { gitIn } from "../files-place.test-support.js";
import { BlobStore } from "../store/blob-store.js";
import { FolderScanner } from "./folder-scanner.js";
import { GitScanner } from "./git-scanner.js";

async function settled(path: string): Promise<void> {
  await vi.waitUntil(() => Date.now() - lstatSync(path).ctimeMs > 100, { timeout: 60_000 });
}

describe.each(["git", "a folder without git"])("in %s", (name) => {
  async function begun() {
    const root = tempFolder();
    const at = (path: string) => join(root, path);
    const write = (path: string, text: string) => {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), text);
    };
    write(".gitignore", ".env\ndata/\nsecret/\n");
    write("seen/a.txt", "a");
    if (name === "git") {
      gitIn(root, "init", "--quiet");
      gitIn(root, "add", "-A");
      gitIn(root, "commit", "--quiet", "-m", "first");
    }
    write("inner/work.txt", "work");
    gitIn(at("inner"), "init", "--quiet");
    for (const path of [".env", "data/deep/d.csv", "secret/key", "loose/b.txt"]) write(path, path);
    // The file system's clock has a limited resolution.
    await settled(at("loose/b.txt"));
    const options = { root, store: new BlobStore(tempFolder()), largest: 1000 };
    const scanner =
      name === "git" ? new GitScanner({ ...options, index: join(tempFolder(), "index") }) : new FolderScanner(options);
    await scanner.scan();
    const changed = async () =>
      (await scanner.scan()).changes.map(({ path, before, after }) =>
        before === null ? `+${path}` : after === null ? `-${path}` : path,
      );
    return { at, write, changed };
  }

  test("a file that is no longer ignored is not a new file, and is recorded from then on", async () => {
    const { at, write, changed } = await begun();
    write(".gitignore", "other\n");
    write("data/new.csv", "new");
    expect(await changed()).toEqual([".gitignore", "+data/new.csv"]);
    write(".env", "changed");
    rmSync(at("data/deep/d.csv"));
    expect(await changed()).toEqual([".env", "-data/deep/d.csv"]);
  });

  test("a folder that is no longer a repository holds no new files", async () => {
    const { at, changed } = await begun();
    rmSync(at("inner/.git"), { recursive: true });
    expect(await changed()).toEqual([]);
  });

  test("a folder that is moved here brings its files, whatever their times: from outside, or from an ignored folder", async () => {
    const { at, write, changed } = await begun();
    const outside = join(tempFolder(), "outside");
    mkdirSync(join(outside, "deep"), { recursive: true });
    writeFileSync(join(outside, "deep/old.txt"), "old");
    await settled(join(outside, "deep/old.txt"));
    await changed();
    renameSync(at("secret"), at("public"));
    renameSync(outside, at("seen/outside"));
    expect(await changed()).toEqual(["+public/key", "+seen/outside/deep/old.txt"]);
    renameSync(at("data/deep"), at("deep"));
    write("deep/more.csv", "more");
    expect(await changed()).toEqual(["+deep/d.csv", "+deep/more.csv"]);
  });

  test("a folder that makes room for a new one of its name keeps its files under the other name", async () => {
    const { at, write, changed } = await begun();
    renameSync(at("loose"), at("loose-old"));
    write("loose/b.txt", "loose/b.txt");
    renameSync(at("seen"), at("seen-old"));
    mkdirSync(at("seen"));
    expect(await changed()).toEqual(["+loose-old/b.txt", "+seen-old/a.txt", "-seen/a.txt"]);
  });

  test("a file that a folder takes the place of is gone, also if the folder is empty", async () => {
    const { at, write, changed } = await begun();
    write("lib", "a file");
    expect(await changed()).toEqual(["+lib"]);
    renameSync(at("lib"), at("lib-old"));
    mkdirSync(at("lib"));
    expect(await changed()).toEqual(["-lib", "+lib-old"]);
  });

  test("a file that was ignored for a while continues from its state before that", async () => {
    const { write, changed } = await begun();
    write("notes", "one");
    expect(await changed()).toEqual(["+notes"]);
    write(".gitignore", "notes\n.env\ndata/\nsecret/\n");
    expect(await changed()).toEqual([".gitignore"]);
    write("notes", "two");
    expect(await changed()).toEqual([]);
    write(".gitignore", ".env\ndata/\nsecret/\n");
    expect(await changed()).toEqual([".gitignore", "notes"]);
  });

  test("a moved folder keeps its files, even if it is moved back later", async () => {
    const { at, changed } = await begun();
    const away = join(tempFolder(), "away");
    renameSync(at("loose"), at("moved"));
    expect(await changed()).toEqual(["-loose/b.txt", "+moved/b.txt"]);
    renameSync(at("moved"), away);
    expect(await changed()).toEqual(["-moved/b.txt"]);
    expect(await changed()).toEqual([]);
    expect(await changed()).toEqual([]);
    renameSync(away, at("moved"));
    expect(await changed()).toEqual(["+moved/b.txt"]);
  });
});
