import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { filesRecord } from "@bough/session/entry/internal.js";
import { announcePresence, processIdentity } from "@bough/session/log/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { Origins } from "@bough/session/session/internal.js";
import { hashOf } from "@bough/workbench/checkpoint/index.js";
import { expect, test } from "vitest";
import { removeContent } from "../../../../../../test/support/stored-contents.js";
import { runCommand } from "../import/run-command.test-support.js";
import { projectPlace } from "./files-command.test-support.js";

async function twoSteps({ keepOpen = false } = {}) {
  const place = await projectPlace();
  place.write({ "a.txt": "start\n" });
  const first = place.say("first");
  await place.step("one", { "a.txt": "one\n", "src/new.txt": "new\n" });
  const last = await place.step("two", { "a.txt": "two\n" });
  if (!keepOpen) place.session.close();
  const read = (path: string) => (existsSync(place.at(path)) ? readFileSync(place.at(path), "utf8") : undefined);
  const reopened = () => SessionManager.open(place.session.getSessionFile() as string, undefined, { readOnly: true });
  return { ...place, first, last, read, reopened };
}

test("a dry run says what would be done and does nothing; then it is done, recorded, and can be undone the same way", async () => {
  const { first, last, bough, read, reopened, cwd } = await twoSteps();
  const plan = `M a.txt\nD src/new.txt\n1 file to write (6 B), 1 to delete in ${cwd}\n`;
  expect(await bough("restore-files", `#${first}`, "--dry-run")).toEqual({ code: 0, stdout: plan, stderr: "" });
  expect([read("a.txt"), read("src/new.txt"), reopened().getLeafId()]).toEqual(["two\n", "new\n", last]);
  const { code, stdout } = await bough("restore-files", `#${first}`);
  const id = reopened().getLeafId() as string;
  expect([code, stdout]).toEqual([0, `${plan}Restored: 1 file written, 1 deleted\nRecorded as ${id}\n`]);
  expect([read("a.txt"), read("src/new.txt")]).toEqual(["start\n", undefined]);
  expect(filesRecord((reopened().getEntry(id) as { data?: unknown }).data)).toMatchObject({
    by: "restore",
    changes: [{ path: "a.txt" }, { path: "src/new.txt" }],
  });
  expect((await bough("restore-files", `#${last}`)).code).toBe(0);
  expect([read("a.txt"), read("src/new.txt")]).toEqual(["two\n", "new\n"]);
});

test("only the paths that are named", async () => {
  const { first, bough, read } = await twoSteps();
  const { code, stdout } = await bough("restore-files", `#${first}`, "src", "--json");
  expect([code, read("a.txt"), read("src/new.txt")]).toEqual([0, "two\n", undefined]);
  expect(JSON.parse(stdout)).toMatchObject({
    entryId: first,
    dryRun: false,
    plan: { files: [{ path: "src/new.txt", wanted: null }], conflicts: [], missing: [] },
    outcome: { kind: "done", written: [], deleted: ["src/new.txt"], kept: [], missing: [] },
  });
});

test("a name with a line break is one line of the plan, and comes back with it", async () => {
  const { write, say, step, session, at, bough, cwd } = await projectPlace();
  write({ "a\nb": "old\n" });
  const first = say("first");
  await step("change", { "a\nb": "new\n" });
  session.close();
  const { code, stdout } = await bough("restore-files", `#${first}`, "a\nb");
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(
      `^M a\\\\nb\n1 file to write \\(4 B\\) in ${cwd}\nRestored: 1 file written, 0 deleted\nRecorded as`,
    ),
  ]);
  expect([readdirSync(cwd), readFileSync(at("a\nb"), "utf8")]).toEqual([["a\nb"], "old\n"]);
});

test("with conflicts, nothing is changed until you say what to do with them", async () => {
  const { first, bough, read, write } = await twoSteps();
  write({ "a.txt": "mine\n" });
  const refused = await bough("restore-files", `#${first}`);
  expect([refused.code, read("a.txt"), read("src/new.txt")]).toEqual([1, "mine\n", "new\n"]);
  expect(refused.stdout).toBe("D src/new.txt\n! a.txt  changed outside of this session\n");
  expect(refused.stderr).toMatch(/1 file changed outside of this session; nothing was restored[\s\S]*--conflicts take/);
  expect((await bough("restore-files", `#${first}`, "--conflicts", "keep")).code).toBe(0);
  expect([read("a.txt"), read("src/new.txt")]).toEqual(["mine\n", undefined]);
  expect((await bough("restore-files", `#${first}`, "--conflicts", "take")).code).toBe(0);
  expect(read("a.txt")).toBe("start\n");
});

test("what was done since the last step is undone by naming it", async () => {
  const { bough, read, write } = await twoSteps();
  write({ "a.txt": "broken\n", "other.txt": "never recorded\n" });
  expect((await bough("restore-files", "#@")).stdout).toMatch(/^Nothing to restore/);
  expect((await bough("restore-files", "#@", "a.txt")).code).toBe(1);
  expect((await bough("restore-files", "#@", ".", "--conflicts", "take")).code).toBe(0);
  expect([read("a.txt"), read("other.txt")]).toEqual(["two\n", "never recorded\n"]);
});

test("a path that no step changed is named; alone it is an error, beside others a notice", async () => {
  const { first, bough, read, write } = await twoSteps();
  write({ "other.txt": "never recorded\n" });
  const alone = await bough("restore-files", `#${first}`, "other.txt");
  expect([alone.code, read("a.txt")]).toEqual([1, "two\n"]);
  expect(alone.stderr).toContain("No step in this session changed other.txt");
  const both = await bough("restore-files", `#${first}`, "other.txt", "a.txt");
  expect([both.code, read("a.txt"), read("other.txt")]).toEqual([0, "start\n", "never recorded\n"]);
  expect(both.stderr).toContain("No step in this session changed other.txt");
});

test("what is not on this machine is named, the rest is restored, and the exit code says so", async () => {
  const { first, bough, read, store } = await twoSteps();
  await removeContent(store, hashOf(Buffer.from("start\n")));
  const { code, stdout, stderr } = await bough("restore-files", `#${first}`);
  expect([code, read("a.txt"), read("src/new.txt")]).toEqual([1, "two\n", undefined]);
  expect(stdout).toMatch(/^\? a.txt {2}content not on this machine$/m);
  expect(stderr).toBe("bough: Not restored, because the content is not on this machine: a.txt\n");
});

test("a folder in the way is kept and reported", async () => {
  const { first, bough, at, write } = await twoSteps();
  write({ "a.txt": null });
  mkdirSync(at("a.txt"));
  writeFileSync(at("a.txt/mine"), "mine");
  const { code, stdout } = await bough("restore-files", `#${first}`, "--conflicts", "take");
  expect([code, readFileSync(at("a.txt/mine"), "utf8")]).toEqual([1, "mine"]);
  expect(stdout).toMatch(/^! a.txt {2}a folder is in its place$/m);
});

test("wrong usage, unknown entries, paths outside and sessions without records are refused", async () => {
  const { bough, cwd, home } = await twoSteps();
  expect(await bough("restore-files", "#no-such-entry")).toMatchObject({ code: 1 });
  expect(await bough("restore-files", "#@", "../x")).toMatchObject({ code: 1 });
  expect(await bough("restore-files", "#@", join(home, "bough"))).toMatchObject({ code: 1 });
  const session = SessionManager.create(cwd);
  session.appendMessage({ role: "user", content: "hi", timestamp: 0 });
  session.close();
  expect(await bough("restore-files", session.getSessionId())).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Missing entry after #"),
  });
  expect(await bough("restore-files", `${session.getSessionId()}#@`)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("No file changes are recorded"),
  });
});

test("records that lead out of the folder, into .git or through a link are never followed", async () => {
  const { session, cwd, home, say, step, at, bough } = await projectPlace();
  const first = say("first");
  await step("one", { "a.txt": "one\n" });
  const state = { hash: hashOf(Buffer.from("one\n")), mode: "644", size: 4 };
  const record = (path: string) => ({
    v: 1,
    by: "tool",
    tool: "bash",
    changes: [{ path, before: null, after: state }],
  });
  for (const path of ["../outside.txt", `${home}/absolute.txt`, ".git/hooks/pre-commit", "a/../../x", "", "sub\\x"]) {
    session.appendCustomEntry("bough.files", record(path));
  }
  const outside = join(home, "outside");
  mkdirSync(outside);
  symlinkSync(outside, at("linked"));
  const linked = session.appendCustomEntry("bough.files", record("linked/file.txt"));
  session.branch(first);
  session.appendMessage({ role: "user", content: "elsewhere", timestamp: 0 });
  session.close();
  rmSync(at("a.txt"));
  const { code, stdout } = await bough("restore-files", `#${linked}`, "--conflicts", "take");
  expect([code, readFileSync(at("a.txt"), "utf8")]).toEqual([1, "one\n"]);
  expect(stdout).toMatch(/^! linked\/file.txt {2}its folder is a symbolic link$/m);
  expect(readdirSync(outside)).toEqual([]);
  expect(readdirSync(home).sort()).toEqual(["bough", "outside", "project"]);
  expect(readdirSync(cwd).sort()).toEqual(["a.txt", "linked"]);
});

test("a record of a newer version is named, and files are not restored across it", async () => {
  const { session, first, say, bough, read } = await twoSteps({ keepOpen: true });
  const newer = session.appendCustomEntry("bough.files", { v: 2, by: "tool", changes: [], moves: [] });
  const after = say("after");
  session.close();
  const refused = await bough("restore-files", `#${first}`);
  expect([refused.code, read("a.txt"), read("src/new.txt")]).toEqual([1, "two\n", "new\n"]);
  expect(refused.stderr).toContain(`A newer version of Bough recorded file changes in entry ${newer}`);
  expect(JSON.parse((await bough("diff", `#${first}`, `#${after}`, "--json")).stdout)).toMatchObject({
    unread: [newer],
  });
});

test("a session of another folder restores nothing there, unless one is in that folder", async () => {
  const { first, session, read, cwd, home } = await twoSteps();
  const elsewhere = join(home, "elsewhere");
  mkdirSync(elsewhere);
  const restore = (from: string, ...args: readonly string[]) =>
    runCommand({ cwd: from }, ["restore-files", `${session.getSessionFile()}#${first}`, ...args]);
  const refused = await restore(elsewhere);
  expect([refused.code, read("a.txt"), read("src/new.txt"), readdirSync(elsewhere)]).toEqual([1, "two\n", "new\n", []]);
  expect(refused.stderr).toMatch(/This session belongs to another folder: .*\/project\n[\s\S]*--cwd/);
  expect((await restore(elsewhere, "--dry-run")).code).toBe(0);
  expect([(await restore(cwd)).code, read("a.txt")]).toEqual([0, "start\n"]);
});

test("a session that is open in another process gets no second branch: that process finds the changes itself", async () => {
  const { session, say, step, at, bough } = await projectPlace();
  const first = say("first");
  await step("one", { "a.txt": "one\n" });
  const file = session.getSessionFile() as string;
  const { entries } = session.getCounts();
  session.close();
  const other = spawn("sleep", ["60"]);
  const presence = announcePresence(file, { program: "other", mode: "write", now: () => new Date() });
  const path = presence.file as string;
  const theirs = { ...JSON.parse(readFileSync(path, "utf8")), ...processIdentity(other.pid as number) };
  presence.leave();
  const copy = path.replace(/\d+(?=\.[0-9a-f]{12}\.json$)/, String(other.pid));
  writeFileSync(copy, JSON.stringify(theirs));
  const { code, stderr } = await bough("restore-files", `#${first}`);
  other.kill();
  expect([code, existsSync(at("a.txt"))]).toEqual([0, false]);
  expect(stderr).toBe("bough: Not recorded in the session. Open in another process, which will notice the changes.\n");
  expect(SessionManager.open(file).getCounts().entries).toBe(entries);
});

test("files that decide what runs are listed and left alone without --protected", async () => {
  const { say, step, session, bough, at, home } = await projectPlace();
  const first = say("first");
  await step("set up", { ".mcp.json": "{}\n", "a.txt": "a\n" });
  const lines = session.getEntries().map(({ id }) => ({ id, replica: { id: "r1", name: "desktop" } }));
  new Origins(join(home, "bough"), session.getSessionId()).add(lines);
  session.close();
  const left = await bough("restore-files", `#${first}`);
  expect(left.code).toBe(1);
  expect(left.stdout).toContain(
    "D a.txt  recorded on desktop\n! .mcp.json  left alone: it decides what runs  recorded on desktop\n1 file to delete, 1 protected in",
  );
  expect(left.stderr).toBe(
    "bough: Left alone, because it decides what runs: .mcp.json\n  Pass --protected to restore it too.\n",
  );
  expect([existsSync(at("a.txt")), existsSync(at(".mcp.json"))]).toEqual([false, true]);
  const { code, stdout } = await bough("restore-files", `#${first}`, "--protected", "--json");
  expect([code, existsSync(at(".mcp.json"))]).toEqual([0, false]);
  expect(JSON.parse(stdout)).toMatchObject({
    plan: { protected: [{ path: ".mcp.json", why: "runs" }] },
    outcome: { deleted: [".mcp.json"] },
  });
});

test("a session from a store whose record names an extension does not become code", async () => {
  const { say, session, store, bough, at, home } = await projectPlace();
  const first = say("first");
  say("second");
  const code = Buffer.from('throw new Error("run");\n');
  const before = { hash: await store.put(code), mode: "644", size: code.length };
  const paths = [".bough/extensions/x.js", ".Bough/settings.json", "git~1/hooks/post-checkout", ".bough\u200d/x.js"];
  const changes = paths.map((path) => ({ path, before, after: null }));
  session.appendCustomEntry("bough.files", { v: 1, by: "tool", tool: "bash", changes });
  const lines = session.getEntries().map(({ id }) => ({ id, replica: { id: "r1", name: "attacker" } }));
  new Origins(join(home, "bough"), session.getSessionId()).add(lines);
  session.close();
  for (const more of [[], ["--conflicts", "take"], [".", "--conflicts", "take"], [".bough", "--conflicts", "take"]]) {
    const { code, stderr } = await bough("restore-files", `#${first}`, ...more);
    expect([code, stderr]).toEqual([1, expect.stringContaining("decides what runs")]);
  }
  expect(paths.filter((path) => existsSync(at(path)))).toEqual([]);
});

test("20,000 missing contents are counted, not listed", async () => {
  const { say, session, bough } = await projectPlace();
  const first = say("first");
  say("second");
  for (let piece = 0; piece < 40; piece++) {
    const changes = Array.from({ length: 500 }, (_, n) => ({
      path: `${piece}/${n}`,
      before: { hash: hashOf(Buffer.from(`${piece} ${n}`)), mode: "644", size: 1 },
      after: null,
    }));
    session.appendCustomEntry("bough.files", { v: 1, by: "tool", tool: "bash", changes });
  }
  session.close();
  const { code, stderr } = await bough("restore-files", `#${first}`, "--json");
  expect([code, stderr.length]).toEqual([1, 0]);
  const plain = await bough("restore-files", `#${first}`);
  expect(plain.stderr).toBe(
    "bough: Not restored, because the content is not on this machine: 0/0, 0/1, 0/10, 0/100, 0/101 and 19,995 more\n",
  );
});
