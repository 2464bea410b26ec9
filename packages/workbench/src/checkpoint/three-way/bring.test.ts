/** Changes of another branch, brought to a real folder: with a session, its records and its undo. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import type { EntryId } from "@bough/session/entry/index.js";
import { filesRecord } from "@bough/session/entry/internal.js";
import { describe, expect, test } from "vitest";
import { removeContent } from "../../../../../test/support/stored-contents.js";
import { type Files, filesPlace } from "../files-place.test-support.js";
import { type RestoreChoices, unansweredConflicts } from "../restore/restore-choices.js";
import type { BringPlan } from "../session-files.js";
import { hashOf } from "../store/blob-store.js";

const LINES = ["one", "two", "three", "four", "five"];
const text = (changes: Readonly<Record<number, string>> = {}) =>
  LINES.map((line, at) => `${changes[at] ?? line}\n`).join("");

/** Two branches from one start: the other one made `theirs`, and this one is at the start, with `mine` on disk. */
async function split({ start, theirs, mine }: { start: Files; theirs: Files | (() => void); mine?: Files }) {
  const place = await filesPlace();
  const { files, session, write, say, step } = place;
  write(start);
  await files.begin();
  const from = say("start");
  const tip = await step("theirs", theirs);
  const plan = await files.plan(from);
  await files.follow(from, { plan, choices: { conflicts: "take" }, move: () => session.branch(from) });
  if (mine !== undefined) {
    write(mine);
    say("mine");
    await files.record({ by: "person" });
  }
  return { ...place, from, tip };
}

type Place = Awaited<ReturnType<typeof split>>;

async function bring({ files, say }: Place, tip: EntryId, choices: RestoreChoices = {}) {
  const plan = await files.planMerge(tip);
  const outcome = await files.bring(plan, { choices, words: () => void say("merged") });
  return { plan, outcome };
}

const read = ({ at }: Pick<Place, "at">, path: string) => {
  const file = at(path);
  const stats = lstatSync(file, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  return stats.isSymbolicLink() ? `-> ${readlinkSync(file)}` : readFileSync(file, "utf8");
};

const clashes = ({ conflicts }: BringPlan) => conflicts.map(({ path, why, clash }) => `${path}: ${clash ?? why}`);

describe("the files of another branch", () => {
  test("are added, changed and deleted as there, and changes of both sides are combined line by line", async () => {
    const place = await split({
      start: { both: text(), theirs: text(), gone: "gone\n", mine: text() },
      theirs: { both: text({ 0: "THEIRS" }), theirs: text({ 2: "THEIRS" }), gone: null, "new/deep": "new\n" },
      mine: { both: text({ 4: "MINE" }), mine: text({ 1: "MINE" }) },
    });
    const { plan, outcome } = await bring(place, place.tip);
    expect([plan.conflicts, plan.missing]).toEqual([[], []]);
    expect([...outcome.written, ...outcome.deleted]).toEqual(["both", "new/deep", "theirs", "gone"]);
    expect(read(place, "both")).toBe(text({ 0: "THEIRS", 4: "MINE" }));
    expect(read(place, "theirs")).toBe(text({ 2: "THEIRS" }));
    expect(read(place, "mine")).toBe(text({ 1: "MINE" }));
    expect([read(place, "gone"), read(place, "new/deep")]).toEqual([undefined, "new\n"]);
    const entry = place.session.getLeafEntry();
    const record = filesRecord(entry?.type === "custom" ? entry.data : undefined);
    expect([record?.by, record?.brought]).toEqual(["restore", { via: "merge", from: [place.tip] }]);
  });

  test("are removed and restored with the conversation, byte for byte", async () => {
    const place = await split({
      start: { both: text() },
      theirs: { both: text({ 0: "THEIRS" }), more: "more\n" },
      mine: { both: text({ 4: "MINE" }) },
    });
    const { files, session } = place;
    const before = session.getLeafId();
    await bring(place, place.tip);
    const after = session.getLeafId();
    const go = async (to: EntryId | null) => {
      const plan = await files.plan(to);
      expect(plan.conflicts).toEqual([]);
      await files.follow(to, { plan, move: () => (to === null ? session.resetLeaf() : session.branch(to)) });
    };
    await go(before);
    expect([read(place, "both"), read(place, "more")]).toEqual([text({ 4: "MINE" }), undefined]);
    await go(after);
    expect([read(place, "both"), read(place, "more")]).toEqual([text({ 0: "THEIRS", 4: "MINE" }), "more\n"]);
  });

  test("never undo what was on disk and not recorded yet: it is recorded first, above the merge", async () => {
    const place = await split({ start: { a: text() }, theirs: { a: text({ 0: "THEIRS" }) } });
    const { files, session, write } = place;
    write({ a: text({ 4: "MINE" }) });
    const plan = await files.planMerge(place.tip);
    let before: EntryId | null = null;
    await files.bring(plan, {
      words: () => {
        before = session.getLeafId();
        place.say("merged");
      },
    });
    expect(read(place, "a")).toBe(text({ 0: "THEIRS", 4: "MINE" }));
    const back = await files.plan(before);
    await files.follow(before, { plan: back, move: () => session.branch(before as unknown as EntryId) });
    expect(read(place, "a")).toBe(text({ 4: "MINE" }));
  });

  test("are not brought twice, and a later merge brings only what is new", async () => {
    const place = await split({ start: { a: text() }, theirs: { a: text({ 0: "THEIRS" }) } });
    const { files, session, step } = place;
    await bring(place, place.tip);
    expect((await files.planMerge(place.tip)).files).toEqual([]);
    const merged = session.getLeafId() as EntryId;
    const to = async (id: EntryId) => files.follow(id, { plan: await files.plan(id), move: () => session.branch(id) });
    await to(place.tip);
    const later = await step("later", { a: text({ 0: "LATER" }) });
    await to(merged);
    // Seen from where they split, both sides changed the first line: from the last merge, only theirs did.
    const { plan } = await bring(place, later);
    expect([clashes(plan), read(place, "a")]).toEqual([[], text({ 0: "LATER" })]);
  });

  test("that are the same here need nothing", async () => {
    const same = { a: text({ 0: "SAME" }), link: "x" };
    const place = await split({ start: { a: text() }, theirs: same, mine: same });
    const plan = await place.files.planMerge(place.tip);
    expect([plan.files, plan.conflicts]).toEqual([[], []]);
  });
});

describe("conflicts of a merge", () => {
  const three = () =>
    split({
      start: { lines: text(), binary: "a\0", gone: text(), kept: text() },
      theirs: { lines: text({ 2: "THEIRS" }), binary: "t\0", gone: null, kept: text({ 0: "THEIRS" }), both: "t\n" },
      mine: { lines: text({ 2: "MINE" }), binary: "m\0", gone: text({ 0: "MINE" }), kept: null, both: "m\n" },
    });

  test("say why, by path, and have no answer until one is given", async () => {
    const place = await three();
    const plan = await place.files.planMerge(place.tip);
    expect(clashes(plan)).toEqual(["binary: binary", "both: lines", "gone: deleted", "kept: deleted", "lines: lines"]);
    const open = (choices: RestoreChoices) => unansweredConflicts(plan, choices).map(({ path }) => path);
    expect(open({})).toEqual(["binary", "both", "gone", "kept", "lines"]);
    expect(open({ conflicts: new Map([["lines", "take"]]) })).toEqual(["binary", "both", "gone", "kept"]);
    expect(open({ conflicts: "keep" })).toEqual([]);
  });

  test("keep the file on disk, or take the other one, which can be undone", async () => {
    const place = await three();
    const { files, session } = place;
    const before = session.getLeafId() as EntryId;
    const kept = await bring(place, place.tip, { conflicts: "keep" });
    expect([kept.outcome.kind, kept.outcome.kept]).toEqual(["unchanged", ["binary", "both", "gone", "kept", "lines"]]);
    expect(read(place, "lines")).toBe(text({ 2: "MINE" }));
    const { outcome } = await bring(place, place.tip, { conflicts: "take" });
    expect([outcome.written, outcome.deleted]).toEqual([["binary", "both", "kept", "lines"], ["gone"]]);
    expect([read(place, "lines"), read(place, "binary"), read(place, "gone")]).toEqual([
      text({ 2: "THEIRS" }),
      "t\0",
      undefined,
    ]);
    await files.follow(before, { plan: await files.plan(before), move: () => session.branch(before) });
    expect([read(place, "lines"), read(place, "kept"), read(place, "gone")]).toEqual([
      text({ 2: "MINE" }),
      undefined,
      text({ 0: "MINE" }),
    ]);
  });

  test("of text can be written with both versions; other files are kept then", async () => {
    const place = await three();
    const { outcome } = await bring(place, place.tip, { conflicts: "markers" });
    expect([outcome.written, outcome.kept]).toEqual([
      ["both", "lines"],
      ["binary", "gone", "kept"],
    ]);
    expect(read(place, "lines")).toBe("one\ntwo\n<<<<<<< ours\nMINE\n=======\nTHEIRS\n>>>>>>> theirs\nfour\nfive\n");
  });

  test("are shown as differences, also where no stored file is like the merged one", async () => {
    const place = await split({
      start: { both: text() },
      theirs: { both: text({ 0: "THEIRS" }) },
      mine: { both: text({ 4: "MINE" }) },
    });
    const plan = await place.files.planMerge(place.tip);
    const shown: string[] = [];
    for await (const { path, hunks } of plan.differences()) shown.push(path, hunks ?? "");
    expect(shown.join("\n")).toContain("-one\n+THEIRS\n");
    // Nothing was stored for a look.
    const hashes = plan.files.flatMap(({ wanted }) => (wanted !== null && "hash" in wanted ? [wanted.hash] : []));
    expect(hashes.map((hash) => place.store.has(hash))).toEqual([false]);
  });

  test("a link against a file, and an executable bit against none", async () => {
    const start = { a: "a\n", b: "b\n" };
    const place = await split({ start, theirs: {}, mine: {} });
    const { files, session, at, say } = place;
    say("theirs, with links");
    rmSync(at("a"));
    symlinkSync("b", at("a"));
    writeFileSync(at("x"), "x\n");
    chmodSync(at("x"), 0o755);
    await files.record({ by: "tool", tool: "bash", callIds: ["2"] });
    const tip = session.getLeafId() as EntryId;
    await files.follow(place.from, { plan: await files.plan(place.from), move: () => session.branch(place.from) });
    place.write({ a: "mine\n", x: "x\n" });
    say("mine");
    await files.record({ by: "person" });
    expect(clashes(await files.planMerge(tip))).toEqual(["a: link", "x: mode"]);
    await bring(place, tip, { conflicts: "take" });
    expect([read(place, "a"), lstatSync(at("x")).mode & 0o100]).toEqual(["-> b", 0o100]);
  });
});

describe("what blocks a merge", () => {
  test("a folder, a link above and a file above are left alone, and the rest is brought", async () => {
    const place = await split({
      start: {},
      theirs: { a: "a\n", "b/c": "c\n", "d/e": "e\n", free: "free\n" },
    });
    const { at } = place;
    mkdirSync(at("a"));
    writeFileSync(at("a/inner"), "inner");
    symlinkSync("a", at("b"));
    writeFileSync(at("d"), "d");
    const { plan, outcome } = await bring(place, place.tip, { conflicts: "take" });
    expect(clashes(plan)).toEqual(["a: folder", "b/c: link-above", "d/e: file-above"]);
    expect([outcome.written, outcome.kept]).toEqual([["free"], ["a", "b/c", "d/e"]]);
    expect([read(place, "a/inner"), read(place, "d"), existsSync(at("a/c"))]).toEqual(["inner", "d", false]);
  });

  test("a file that changes after the plan stops it, and nothing is written, words neither", async () => {
    const place = await split({
      start: { a: text(), b: text() },
      theirs: { a: text({ 0: "THEIRS" }), b: text({ 0: "THEIRS" }) },
    });
    const { files, session, write } = place;
    const plan = await files.planMerge(place.tip);
    write({ b: text({ 2: "LATER" }) });
    const before = session.getLeafId();
    const words = () => void place.say("merged");
    await expect(files.bring(plan, { words })).rejects.toMatchObject({ code: "files-changed" });
    expect([session.getLeafId(), read(place, "a")]).toEqual([before, text()]);
  });

  test("a merged file that changes after the plan stops it too", async () => {
    const place = await split({
      start: { a: text() },
      theirs: { a: text({ 0: "THEIRS" }) },
      mine: { a: text({ 4: "MINE" }) },
    });
    const plan = await place.files.planMerge(place.tip);
    place.write({ a: text({ 2: "LATER" }) });
    const words = () => void place.say("merged");
    await expect(place.files.bring(plan, { words })).rejects.toMatchObject({ code: "files-changed" });
    expect(read(place, "a")).toBe(text({ 2: "LATER" }));
  });

  test("words that cannot be written leave every file as it was", async () => {
    const place = await split({ start: { a: text() }, theirs: { a: text({ 0: "THEIRS" }) } });
    const plan = await place.files.planMerge(place.tip);
    const words = () => {
      throw new Error("no space");
    };
    await expect(place.files.bring(plan, { words })).rejects.toThrow("no space");
    expect(read(place, "a")).toBe(text());
  });

  test.skipIf(process.getuid?.() === 0)("a folder that may not be written stops it before anything is", async () => {
    const place = await split({ start: { "a/b": text(), c: text() }, theirs: { "a/b": "t\n", c: "t\n" } });
    chmodSync(place.at("a"), 0o500);
    const plan = await place.files.planMerge(place.tip);
    const words = () => void place.say("merged");
    await expect(place.files.bring(plan, { words })).rejects.toMatchObject({ code: "restore-failed" });
    chmodSync(place.at("a"), 0o700);
    expect(read(place, "c")).toBe(text());
  });

  test("contents that are missing on this machine: theirs is left alone, a missing base needs an answer", async () => {
    const place = await split({
      start: { lost: text(), base: text({ 2: "BASE" }) },
      theirs: { lost: text({ 0: "THEIRS" }), base: text({ 0: "THEIRS", 2: "BASE" }) },
      mine: { base: text({ 2: "BASE", 4: "MINE" }) },
    });
    const { store, files } = place;
    await removeContent(store, hashOf(Buffer.from(text({ 0: "THEIRS" }))));
    await removeContent(store, hashOf(Buffer.from(text({ 2: "BASE" }))));
    const plan = await files.planMerge(place.tip);
    expect([plan.missing.map(({ path, why }) => [path, why]), clashes(plan)]).toEqual([
      [["lost", "missing"]],
      ["base: missing"],
    ]);
    const { outcome } = await bring(place, place.tip, { conflicts: "take" });
    expect([outcome.missing, outcome.written]).toEqual([["lost"], ["base"]]);
  });

  test("files that decide what runs stay, unless they are taken", async () => {
    const place = await split({
      start: { ".mcp.json": text(), a: text() },
      theirs: { ".mcp.json": text({ 0: "THEIRS" }), a: text({ 0: "THEIRS" }) },
      mine: { ".mcp.json": text({ 4: "MINE" }) },
    });
    const { plan, outcome } = await bring(place, place.tip);
    expect(plan.protected?.map(({ path, why, conflict }) => [path, why, conflict])).toEqual([
      [".mcp.json", "runs", undefined],
    ]);
    expect([outcome.protected, read(place, ".mcp.json")]).toEqual([[".mcp.json"], text({ 4: "MINE" })]);
    expect(read(place, "a")).toBe(text({ 0: "THEIRS" }));
    const taken = await bring(place, place.tip, { protected: "take" });
    expect([taken.outcome.written, read(place, ".mcp.json")]).toEqual([
      [".mcp.json"],
      text({ 0: "THEIRS", 4: "MINE" }),
    ]);
  });
});

describe("the files of picked steps", () => {
  test("are those steps' alone, applied one after the other", async () => {
    const place = await filesPlace();
    const { files, session, write, say } = place;
    write({ a: text() });
    await files.begin();
    const from = say("start");
    const step = async (id: string, change: Files) => {
      const call = session.appendMessage({
        role: "assistant",
        content: [{ type: "toolCall", id, name: "bash", arguments: {} }],
        timestamp: 0,
      } as never);
      write(change);
      await files.record({ by: "tool", tool: "bash", callIds: [id] });
      return call;
    };
    const first = await step("c1", { a: text({ 0: "FIRST" }), b: "b\n" });
    await step("c2", { a: text({ 0: "FIRST", 2: "SECOND" }), c: "c\n" });
    const third = await step("c3", { a: text({ 0: "FIRST", 2: "SECOND", 4: "THIRD" }) });
    await files.follow(from, { plan: await files.plan(from), move: () => session.branch(from) });
    const plan = await files.planPick([first, third]);
    expect(plan.conflicts).toEqual([]);
    await files.bring(plan, { words: () => void say("picked") });
    expect(read(place, "a")).toBe(text({ 0: "FIRST", 4: "THIRD" }));
    expect([read(place, "b"), read(place, "c")]).toEqual(["b\n", undefined]);
    // Picked before: its files are here.
    expect((await files.planPick([first, third])).files).toEqual([]);
  });

  test("of which one depends on a step that is not picked are a conflict", async () => {
    const place = await filesPlace();
    const { files, session, write, say } = place;
    write({ a: text() });
    await files.begin();
    const from = say("start");
    const step = async (id: string, change: Files) => {
      const call = session.appendMessage({
        role: "assistant",
        content: [{ type: "toolCall", id, name: "bash", arguments: {} }],
        timestamp: 0,
      } as never);
      write(change);
      await files.record({ by: "tool", tool: "bash", callIds: [id] });
      return call;
    };
    await step("c1", { a: text({ 2: "FIRST" }) });
    const second = await step("c2", { a: text({ 2: "SECOND" }) });
    await files.follow(from, { plan: await files.plan(from), move: () => session.branch(from) });
    expect(clashes(await files.planPick([second]))).toEqual(["a: lines"]);
  });
});
