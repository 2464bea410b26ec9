/** Each record starts from the state above it: nothing else is ever recorded, however files and session moved. */
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { FILES_TYPE, type FileState } from "@bough/session/entry/index.js";
import { filesRecord } from "@bough/session/entry/internal.js";
import { expect, test } from "vitest";
import { FilesPlace, git } from "../../../../test/support/files-place.js";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { SessionFiles } from "./session-files.js";

function place(kind: "git" | "folder") {
  const root = tempFolder();
  writeFileSync(`${root}/f`, "one\n");
  if (kind === "git") {
    git(root, "init", "--quiet");
    git(root, "add", "-A");
  }
  return new FilesPlace({ root, isGit: kind === "git" });
}

const shown = (state: FileState) =>
  state === null ? "nothing" : "link" in state ? `-> ${state.link}` : `${state.size} bytes`;

/** The records on the path of the leaf, as text. */
function said({ session }: FilesPlace): readonly string[] {
  return session.getBranch().flatMap((entry) => {
    if (entry.type !== "custom" || entry.customType !== FILES_TYPE) return [];
    const record = filesRecord(entry.data);
    const changes = record?.changes.map(({ path, before, after }) => `${path} ${shown(before)} to ${shown(after)}`);
    return [`${record?.by}: ${changes?.join(", ")}`];
  });
}

test.each(["git", "folder"] as const)(
  "in a %s, a file that is already as it should be when you go back was not changed there",
  async (kind) => {
    const here = place(kind);
    const first = here.say("first");
    const second = await here.step("second", () => here.write("f", "second\n"));
    // As `git checkout f` does.
    here.write("f", "one\n");
    expect(await here.go(first)).toMatchObject({ kind: "unchanged", kept: [] });
    here.say("third");
    expect(await here.files.record({ by: "person" })).toBeUndefined();
    const third = await here.step("fourth", () => here.write("g", "g\n"));
    expect(said(here)).toEqual(["tool: g nothing to 2 bytes"]);
    await here.go(second);
    await here.go(third);
    expect(readFileSync(here.at("f"), "utf8")).toBe("one\n");
  },
);

test.each(["git", "folder"] as const)(
  "in a %s, a folder where the branch has a file is recorded from what the branch has",
  async (kind) => {
    const here = place(kind);
    const first = here.say("first");
    await here.step("second", () => here.write("f", "second\n"));
    rmSync(here.at("f"));
    here.write("f/x", "x");
    expect(await here.go(first)).toMatchObject({ kind: "unchanged", kept: ["f"] });
    here.say("third");
    await here.files.record({ by: "person" });
    expect(said(here)).toEqual(["person: f 4 bytes to nothing", "person: f/x nothing to 1 bytes"]);
  },
);

test.each(["git", "folder"] as const)(
  "in a %s, what you changed before a tool edited the same file is yours",
  async (kind) => {
    const here = place(kind);
    await here.step("first", () => here.write("f", "second\n"));
    here.write("f", "mine\n");
    const { store } = here;
    const state = async (text: string) =>
      ({ hash: await store.put(Buffer.from(text)), mode: "644", size: text.length }) as const;
    const change = { path: "f", before: await state("mine\n"), after: await state("edited\n") };
    here.write("f", "edited\n");
    await here.files.recordExact({ by: "tool", tool: "edit", callIds: ["2"] }, [change]);
    expect(said(here)).toEqual([
      "tool: f 4 bytes to 7 bytes",
      "person: f 7 bytes to 5 bytes",
      "tool: f 5 bytes to 7 bytes",
    ]);
    expect(await here.files.record({ by: "person" })).toBeUndefined();
  },
);

test("a record that does not start from what its branch says throws where tests want it, and is mended elsewhere", async () => {
  const here = place("folder");
  await here.step("first", () => here.write("f", "second\n"));
  // Another program appends a file change to the session, and this one does not notice.
  const other = filesRecord({ v: 1, by: "tool", changes: [{ path: "f", before: null, after: { link: "x" } }] });
  here.session.appendCustomEntry(FILES_TYPE, other);
  here.write("f", "third time\n");
  await expect(here.files.record({ by: "tool", tool: "bash" })).rejects.toThrow(/^bug: a record of f /);
  const { session, root, store, scanner } = here;
  const files = new SessionFiles({ session, root, store, scanner, gaps: "mend" });
  await files.begin();
  here.write("f", "fourth time\n");
  await files.record({ by: "tool", tool: "bash", callIds: ["3"] });
  expect(said(here).slice(-2)).toEqual(["person: f -> x to 11 bytes", "tool: f 11 bytes to 12 bytes"]);
});

test("a folder that became a file while nothing was running is recorded, and goes back", async () => {
  const here = place("folder");
  const first = await here.step("first", () => here.write("d/x", "x"));
  rmSync(here.at("d"), { recursive: true });
  writeFileSync(here.at("d"), "a file");
  const again = new FilesPlace({ root: here.root, store: here.store });
  const { session, root, store } = here;
  const files = new SessionFiles({ session, root, store, scanner: again.scanner });
  await files.recordOutside();
  await files.begin();
  expect(said(here).slice(1)).toEqual(["person: d nothing to 6 bytes, d/x 1 bytes to nothing"]);
  const plan = await files.plan(first);
  expect(plan.conflicts).toEqual([]);
  await files.follow(first, { plan, move: () => session.branch(first) });
  expect(readFileSync(here.at("d/x"), "utf8")).toBe("x");
});

test("a file that came while nothing was running, where a folder was before, was not there with the folder", async () => {
  const here = place("folder");
  const first = await here.step("first", () => here.write("d/x", "x"));
  await here.step("second", () => rmSync(here.at("d"), { recursive: true }));
  writeFileSync(here.at("d"), "a file");
  const again = new FilesPlace({ root: here.root, store: here.store });
  const { session, root, store } = here;
  const files = new SessionFiles({ session, root, store, scanner: again.scanner });
  await files.recordOutside();
  await files.begin();
  here.say("third");
  writeFileSync(here.at("d"), "another file");
  await files.record({ by: "tool", tool: "bash", callIds: ["1"] });
  expect(said(here).slice(2)).toEqual(["person: d nothing to 6 bytes", "tool: d 6 bytes to 12 bytes"]);
  const plan = await files.plan(first);
  const outcome = await files.follow(first, { plan, move: () => session.branch(first) });
  expect([outcome.kept, readFileSync(here.at("d/x"), "utf8")]).toEqual([[], "x"]);
});

test("a folder that became a link while nothing was running is recorded, and goes back", async () => {
  const here = place("folder");
  const first = await here.step("first", () => here.write("d/x", "x"));
  const elsewhere = tempFolder();
  writeFileSync(`${elsewhere}/x`, "other");
  rmSync(here.at("d"), { recursive: true });
  symlinkSync(elsewhere, here.at("d"));
  const again = new FilesPlace({ root: here.root, store: here.store });
  const { session, root, store } = here;
  const files = new SessionFiles({ session, root, store, scanner: again.scanner });
  await files.recordOutside();
  await files.follow(first, { plan: await files.plan(first), move: () => session.branch(first) });
  expect([readFileSync(here.at("d/x"), "utf8"), readFileSync(`${elsewhere}/x`, "utf8")]).toEqual(["x", "other"]);
});

/** A tool that reports what it found and left, without a scan. */
async function toolWrites(here: FilesPlace, path: string, text: string): Promise<void> {
  const state = async (): Promise<FileState> => {
    if (!existsSync(here.at(path))) return null;
    const content = readFileSync(here.at(path));
    return { hash: await here.store.put(content), mode: "644", size: content.length };
  };
  const before = await state();
  here.write(path, text);
  await here.files.recordExact({ by: "tool", tool: "write", callIds: ["1"] }, [{ path, before, after: await state() }]);
}

test.each(["git", "folder"] as const)(
  "in a %s, what you did to a file just before a tool wrote it is yours, and going back undoes both",
  async (kind) => {
    const here = place(kind);
    for (const path of ["d/gone", "d/changed", "d/same"]) here.write(path, "start\n");
    const first = here.say("first");
    here.say("second");
    await here.files.begin();
    rmSync(here.at("d"), { recursive: true });
    rmSync(here.at("f"));
    here.write("d/changed", "mine\n");
    here.write("d/same", "the same\n");
    await toolWrites(here, "f", "two\n\n");
    await toolWrites(here, "d/gone", "tools\n");
    await toolWrites(here, "d/changed", "the tools\n");
    await toolWrites(here, "d/same", "the same\n");
    expect(said(here)).toEqual([
      "person: f 4 bytes to nothing",
      "tool: f nothing to 5 bytes",
      "person: d/gone 6 bytes to nothing",
      "tool: d/gone nothing to 6 bytes",
      "person: d/changed 6 bytes to 5 bytes",
      "tool: d/changed 5 bytes to 10 bytes",
      "person: d/same 6 bytes to 9 bytes",
    ]);
    await here.go(first);
    const now = ["f", "d/gone", "d/changed", "d/same"].map((path) => readFileSync(here.at(path), "utf8"));
    expect(now).toEqual(["one\n", "start\n", "start\n", "start\n"]);
  },
);

test.each(["git", "folder"] as const)(
  "in a %s, a file that a tool wrote back as it was before you changed it is recorded as both",
  async (kind) => {
    const here = place(kind);
    const first = here.say("first");
    here.say("second");
    await here.files.begin();
    here.write("f", "mine, for a moment\n");
    const mine = await here.files.store.put(readFileSync(here.at("f")));
    here.write("f", "one\n");
    const after = { hash: await here.files.store.put(readFileSync(here.at("f"))), mode: "644", size: 4 } as const;
    const exact = [{ path: "f", before: { hash: mine, mode: "644", size: 19 } as const, after }];
    await here.files.record({ by: "tool", tool: "bash, write", callIds: ["1"] }, { exact });
    expect(said(here)).toEqual(["person: f 4 bytes to 19 bytes", "tool: f 19 bytes to 4 bytes"]);
    await here.go(first);
    expect(readFileSync(here.at("f"), "utf8")).toBe("one\n");
  },
);
