/** Restores leave files alone that decide what runs, unless asked to, and never write git's own files. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type EntryId, FILES_TYPE, type FileState } from "@bough/session/entry/index.js";
import { Origins } from "@bough/session/session/internal.js";
import { describe, expect, test, vi } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { filesPlace, gitIn } from "../files-place.test-support.js";
import { applyFiles } from "./apply-files.js";
import { machinesOf } from "./plan-files.js";

/** A place with forged records: a step that deleted files with the content `evil`. */
async function claimed(paths: readonly string[]) {
  const place = await filesPlace();
  const content = Buffer.from("evil\n");
  const before: FileState = { hash: await place.store.put(content), mode: "644", size: content.length };
  const first = place.say("first");
  place.say("second");
  const changes = paths.map((path) => ({ path, before, after: null }));
  const record = place.session.appendCustomEntry(FILES_TYPE, { v: 1, by: "tool", tool: "bash", changes });
  const there = () => paths.filter((path) => existsSync(place.at(path)));
  return { ...place, first, record, there };
}

const RUNS = [".bough/extensions/x.js", ".mcp.json", ".envrc", "packages/a/.vscode/tasks.json", ".husky/pre-commit"];
const GIT = ["git~1/hooks/post-checkout", "a/.git./config", ".g\u200cit/config", ".git::$DATA"];

describe("a path that decides what runs", () => {
  test("is listed apart and left alone; everything else is restored", async () => {
    const { files, first, there } = await claimed([...RUNS, "src/a.ts"]);
    const plan = await files.plan(first);
    expect(plan.files.map(({ path }) => path)).toEqual(["src/a.ts"]);
    expect(plan.protected?.map(({ path, why }) => `${path} ${why}`)).toEqual(RUNS.map((path) => `${path} runs`).sort());
    const outcome = await files.restoreHere(plan, { conflicts: "take" });
    expect([outcome.written, outcome.protected]).toEqual([["src/a.ts"], [...RUNS].sort()]);
    expect(there()).toEqual(["src/a.ts"]);
  });

  test("is not deleted either", async () => {
    const { files, at, write, say } = await filesPlace();
    await files.begin();
    write({ ".husky/pre-commit": "check\n" });
    const before = say("first");
    say("second");
    await files.recordExact({ by: "tool", tool: "write" }, [
      {
        path: ".husky/pre-commit",
        before: null,
        after: { hash: await files.store.put(readFileSync(at(".husky/pre-commit"))), mode: "644", size: 6 },
      },
    ]);
    const outcome = await files.restoreHere(await files.plan(before), { conflicts: "take" });
    expect(outcome).toMatchObject({ kind: "unchanged", deleted: [], protected: [".husky/pre-commit"] });
    expect(readFileSync(at(".husky/pre-commit"), "utf8")).toBe("check\n");
  });

  test("is restored if that is chosen, and a file that someone changed is still a conflict", async () => {
    const { files, first, there, at, write } = await claimed(RUNS);
    write({ ".envrc": "mine\n" });
    const plan = await files.plan(first);
    const kept = await files.restoreHere(plan, { protected: "take" });
    expect([kept.kept, kept.protected, readFileSync(at(".envrc"), "utf8")]).toEqual([[".envrc"], undefined, "mine\n"]);
    expect(there()).toEqual(RUNS);
    const taken = await files.restoreHere(await files.plan(first), { protected: "take", conflicts: "take" });
    expect([taken.written, readFileSync(at(".envrc"), "utf8")]).toEqual([[".envrc"], "evil\n"]);
  });

  test("that was kept is recorded as it is, so the new branch knows its files", async () => {
    const { files, first, session, there } = await claimed([".mcp.json", "a.txt"]);
    const plan = await files.plan(first);
    const { recorded } = await files.follow(first, { plan, move: () => session.branch(first) });
    expect(recorded?.changes).toEqual([{ path: ".mcp.json", before: expect.anything(), after: null }]);
    expect(there()).toEqual(["a.txt"]);
    const next = await files.plan(session.getLeafId());
    expect([next.files, next.protected]).toEqual([[], undefined]);
  });

  test("is also what git of this repository takes for hooks", async () => {
    const root = tempFolder();
    gitIn(root, "init", "--quiet");
    gitIn(root, "config", "core.hooksPath", "tools/hooks");
    const { files, store, session, say } = await filesPlace({ root });
    const first = say("first");
    const before: FileState = { hash: await store.put(Buffer.from("x")), mode: "755", size: 1 };
    const changes = ["tools/hooks/pre-commit", "Tools/Hooks/x", "tools/a.sh"].map((path) => ({
      path,
      before,
      after: null,
    }));
    session.appendCustomEntry(FILES_TYPE, { v: 1, by: "tool", changes });
    const plan = await files.plan(first);
    expect(plan.files.map(({ path }) => path)).toEqual(["tools/a.sh"]);
    expect(plan.protected?.map(({ path }) => path)).toEqual(["Tools/Hooks/x", "tools/hooks/pre-commit"]);
  });
});

describe("what is git's own on some system", () => {
  test("is never written, whatever is chosen", async () => {
    const { files, first, there } = await claimed([...GIT, "a.txt"]);
    const plan = await files.plan(first);
    expect(plan.protected?.map(({ why }) => why)).toEqual(GIT.map(() => "git"));
    const outcome = await files.restoreHere(plan, { protected: "take", conflicts: "take" });
    expect([outcome.written, outcome.protected]).toEqual([["a.txt"], [...GIT].sort()]);
    expect(there()).toEqual(["a.txt"]);
  });

  test("is refused in a plan that someone made by hand", async () => {
    const { store, root, there } = await claimed(["git~1/config"]);
    const wanted: FileState = { hash: await store.put(Buffer.from("evil\n")), mode: "644", size: 5 };
    const file = { path: "git~1/config", present: null, wanted, byPerson: false };
    const plan = { root, files: [file], conflicts: [], missing: [], bytes: 5 };
    await expect(applyFiles(plan, { store })).rejects.toMatchObject({ code: "unsafe-path" });
    expect(there()).toEqual([]);
  });
});

describe("what another machine recorded", () => {
  async function pulled(paths: readonly string[]) {
    const home = tempFolder();
    vi.stubEnv("BOUGH_HOME", home);
    const place = await claimed(paths);
    const ids = place.session.getEntries().map(({ id }) => ({ id, replica: { id: "r1", name: "desktop" } }));
    new Origins(home, place.session.getSessionId()).add(ids, "own");
    return { ...place, home };
  }

  test("says so in the plan, by path", async () => {
    const { files, first, step } = await pulled(["a.txt", ".mcp.json"]);
    await step("here", { "b.txt": "ours\n" });
    const plan = await files.plan(first);
    expect(plan.files.map(({ path, from }) => [path, from])).toEqual([
      ["a.txt", "desktop"],
      ["b.txt", undefined],
    ]);
    expect(plan.protected?.map(({ path, from }) => [path, from])).toEqual([[".mcp.json", "desktop"]]);
    expect(machinesOf(plan)).toEqual(["desktop"]);
  });

  test("says so although a record of this machine is the only one on the way", async () => {
    const home = tempFolder();
    vi.stubEnv("BOUGH_HOME", home);
    const { session, files, store, say } = await filesPlace();
    say("first");
    const after: FileState = { hash: await store.put(Buffer.from("theirs\n")), mode: "644", size: 7 };
    const theirs = session.appendCustomEntry(FILES_TYPE, {
      v: 1,
      by: "tool",
      changes: [{ path: "a.txt", before: null, after }],
    });
    new Origins(home, session.getSessionId()).add([{ id: theirs, replica: { id: "r1", name: "desktop" } }]);
    // The file is not on disk, which counts as a difference made by the person on this machine.
    await files.recordOutside();
    const plan = await files.plan(theirs);
    expect(plan.files).toMatchObject([{ path: "a.txt", from: "desktop" }]);
  });

  test("says so in a fork too, and for lines that a store calls this machine's own", async () => {
    const home = tempFolder();
    vi.stubEnv("BOUGH_HOME", home);
    const { session, files, first, record } = await claimed(["a.txt"]);
    new Origins(home, session.getSessionId()).add([{ id: record, replica: { id: "own", name: "laptop" } }], "own");
    expect(machinesOf(await files.plan(first))).toEqual(["a store"]);
    session.createBranchedSession(session.getLeafId() as EntryId);
    expect(machinesOf(await files.plan(first))).toEqual(["a store"]);
  });

  test("cannot be planned if the notes about it cannot be read", async () => {
    const { home, session, files, first } = await pulled(["a.txt"]);
    const { file } = new Origins(home, session.getSessionId());
    writeFileSync(file, "");
    const folder = join(home, "stores", "origins");
    vi.stubEnv("BOUGH_HOME", join(home, "other"));
    mkdirSync(join(home, "other", "stores", "origins", file.slice(folder.length + 1)), { recursive: true });
    await expect(files.plan(first)).rejects.toThrow(/folder/);
  });
});
