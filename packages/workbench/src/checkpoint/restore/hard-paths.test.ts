/** Paths that cannot exist here, files below files, and folders that are swapped during a restore. */
import { spawnSync } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { FILES_TYPE, type FileDelta, type FileState } from "@bough/session/entry/index.js";
import { describe, expect, test } from "vitest";
import { afterTest } from "../../../../../test/support/after-test.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { filesPlace } from "../files-place.test-support.js";

async function stored(place: Awaited<ReturnType<typeof filesPlace>>, text: string): Promise<FileState> {
  return { hash: await place.store.put(Buffer.from(text)), mode: "644", size: Buffer.byteLength(text) };
}

/** A session that claims these changes were made. */
async function claimed(changes: (state: (text: string) => Promise<FileState>) => Promise<readonly FileDelta[]>) {
  const place = await filesPlace();
  const first = place.say("first");
  place.say("second");
  const made = await changes((text) => stored(place, text));
  place.session.appendCustomEntry(FILES_TYPE, { v: 1, by: "tool", tool: "bash", changes: made });
  return { ...place, first };
}

describe("a path that cannot be on this disk", () => {
  const LONG = "x".repeat(300);
  const DEEP = Array.from({ length: 3000 }, () => "d").join("/");

  test("is reported, and everything else is restored", async () => {
    const { files, first, at } = await claimed(async (state) => {
      const before = await state("old\n");
      const paths = [LONG, `${LONG}/a`, `b/${LONG}`, DEEP, "c.txt", "sub/d.txt"];
      const link = { path: "link", before: { link: "t".repeat(5000) }, after: null };
      return [...paths.map((path) => ({ path, before, after: null })), link];
    });
    const plan = await files.plan(first);
    expect(plan.files.map(({ path }) => path)).toEqual(["c.txt", "sub/d.txt"]);
    expect(plan.conflicts.map(({ path, why }) => `${path.length} ${why}`).sort()).toEqual(
      [`${LONG.length}`, `${LONG.length + 2}`, `${LONG.length + 2}`, `${DEEP.length}`, "4"]
        .map((length) => `${length} unreachable`)
        .sort(),
    );
    const outcome = await files.restoreHere(plan, { conflicts: "take" });
    expect([outcome.written, outcome.kept.length]).toEqual([["c.txt", "sub/d.txt"], 5]);
    expect([readFileSync(at("c.txt"), "utf8"), readFileSync(at("sub/d.txt"), "utf8")]).toEqual(["old\n", "old\n"]);
  });

  test("does not keep a session from being taken up again", async () => {
    const { files, write, session } = await claimed(async (state) => [
      { path: LONG, before: null, after: await state("x") },
      { path: "a.txt", before: null, after: await state("x") },
    ]);
    write({ "a.txt": "mine" });
    const recorded = await files.recordOutside();
    // A path that cannot exist counts as deleted.
    expect(recorded?.changes.map(({ path }) => path)).toEqual(["a.txt", LONG]);
    expect((await files.plan(session.getLeafId())).conflicts).toEqual([]);
  });
});

describe("records that name what is not a file", () => {
  test("do not change or open devices, sockets, pipes and folders", async () => {
    const root = tempFolder();
    const place = await filesPlace({ root });
    const first = place.say("first");
    place.say("second");
    place.write({ "folder/inner": "x" });
    spawnSync("mkfifo", [join(root, "pipe")]);
    const server = createServer().listen(join(root, "socket"));
    afterTest(() => server.close());
    await new Promise((listening) => server.once("listening", listening));
    symlinkSync("/dev/full", join(root, "device"));
    symlinkSync("/proc/self", join(root, "proc"));
    const [before, after] = [await stored(place, "old"), await stored(place, "new")];
    const paths = ["pipe", "socket", "folder", "device/x", "proc/environ", "proc/self/mem", "a.txt"];
    const changes = paths.map((path) => ({ path, before, after: path === "a.txt" ? null : after }));
    place.session.appendCustomEntry(FILES_TYPE, { v: 1, by: "tool", tool: "bash", changes });
    const plan = await place.files.plan(first);
    expect(plan.conflicts.map(({ path, why }) => `${path}: ${why}`)).toEqual([
      "device/x: link-above",
      "folder: folder",
      "pipe: special",
      "proc/environ: link-above",
      "proc/self/mem: link-above",
      "socket: special",
    ]);
    const outcome = await place.files.restoreHere(plan, { conflicts: "take", protected: "take" });
    expect([outcome.written, outcome.kept.length]).toEqual([["a.txt"], 6]);
    expect(["pipe", "socket"].map((path) => lstatSync(join(root, path)).isFile())).toEqual([false, false]);
  });
});

describe("going there with the files", () => {
  test("takes the upper one of a file and a file below it, and moves", async () => {
    const { files, first, session, at } = await claimed(async (state) => {
      const [before, after] = [await state("old"), await state("new")];
      return [
        { path: "a", before, after },
        { path: "a/b", before, after },
        { path: "c", before, after },
      ];
    });
    const plan = await files.plan(first);
    expect(plan.conflicts.map(({ path }) => path)).toEqual(["a", "a/b", "c"]);
    const move = () => session.branch(first);
    const outcome = await files.follow(first, { plan, choices: { conflicts: "take" }, move });
    expect([outcome.written, outcome.kept]).toEqual([["a", "c"], ["a/b"]]);
    expect(readFileSync(at("a"), "utf8")).toBe("old");
  });

  test("does not move if the files cannot be restored", async () => {
    const { files, step, session, say, write } = await filesPlace();
    write({ "a.txt": "one" });
    const first = say("first");
    const last = await step("change", { "a.txt": "two" });
    const plan = await files.plan(first);
    write({ "a.txt": "mine" });
    let moved = 0;
    const move = () => {
      moved += 1;
      session.branch(first);
    };
    await expect(files.follow(first, { plan, move })).rejects.toMatchObject({ code: "files-changed" });
    expect([moved, session.getLeafId(), await files.differing()]).toEqual([0, last, []]);
  });

  test("changes no file if the move fails", async () => {
    const { files, step, say, at, write, root } = await filesPlace();
    write({ "a.txt": "one" });
    const first = say("first");
    await step("change", { "a.txt": "two", "new/b.txt": "b" });
    const plan = await files.plan(first);
    const move = () => {
      throw new Error("no room in the log");
    };
    await expect(files.follow(first, { plan, move })).rejects.toThrow("no room in the log");
    expect([readFileSync(at("a.txt"), "utf8"), existsSync(at("new/b.txt")), readdirSync(root).sort()]).toEqual([
      "two",
      true,
      ["a.txt", "new"],
    ]);
  });
});

describe("a folder that is swapped for a link while files are restored", () => {
  async function swapped(swap: (place: { readonly root: string; readonly outside: string }) => void) {
    const outside = tempFolder();
    const place = await filesPlace();
    place.write({ "d/e/a.txt": "one", "d/e/gone.txt": "one", "f.txt": "one" });
    const first = place.say("first");
    await place.step("change", { "d/e/a.txt": "two", "d/e/gone.txt": null, "d/e/new.txt": "new", "f.txt": "two" });
    const plan = await place.files.plan(first);
    const outcome = await place.files.restore(plan, {}, async () => swap({ root: place.root, outside }));
    return { ...place, outside, outcome };
  }

  test("leaves nothing at the far end of the link, nor in the folder that was moved away", async () => {
    const { root, outside, outcome, at } = await swapped(({ root, outside }) => {
      // Everything that waits to be placed waits in the root, where it cannot be swapped.
      expect(readdirSync(join(root, "d/e")).sort()).toEqual(["a.txt", "new.txt"]);
      renameSync(join(root, "d/e"), join(root, "away"));
      symlinkSync(outside, join(root, "d/e"));
    });
    expect(readdirSync(outside)).toEqual([]);
    expect(readdirSync(join(root, "away")).sort()).toEqual(["a.txt", "new.txt"]);
    expect(readFileSync(at("away/a.txt"), "utf8")).toBe("two");
    expect(readdirSync(root).sort()).toEqual(["away", "d", "f.txt"]);
    expect([outcome.written, [...outcome.kept].sort()]).toEqual([
      ["f.txt"],
      ["d/e/a.txt", "d/e/gone.txt", "d/e/new.txt"].filter((path) => outcome.kept.includes(path)),
    ]);
    expect(outcome.kept).toContain("d/e/a.txt");
  });

  test("deletes nothing at its far end either", async () => {
    const { outside } = await swapped(({ root, outside }) => {
      rmSync(join(root, "d/e"), { recursive: true });
      symlinkSync(outside, join(root, "d/e"));
      mkdirSync(join(outside, "kept"));
      symlinkSync("x", join(outside, "new.txt"));
    });
    expect(readdirSync(outside).sort()).toEqual(["kept", "new.txt"]);
  });
});
