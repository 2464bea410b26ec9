import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { isGroupAlive, processIdentity } from "@bough/session/log/index.js";
import { expect, test, vi } from "vitest";
import { afterTest } from "../../../../../test/support/after-test.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { journalLines } from "./journal-line.js";
import { journalFile, MOST_JOURNAL_BYTES, readWorkFolders, workFolders } from "./work-folder.js";
import { WorkJournal } from "./work-journal.js";

function place() {
  const [store, root] = [tempFolder(), tempFolder()];
  const journal = (session: string, at = root) => {
    const made = new WorkJournal({ store, about: { root: at, session } });
    afterTest(() => made.end());
    made.begin();
    return made;
  };
  return { store, root, journal };
}

const free = { tool: "bash", kind: "free", leaf: null } as const;

test("others hear of commands and announced changes once, and of a root of their own only", () => {
  const { journal } = place();
  const [a, b] = [journal("a"), journal("b")];
  const elsewhere = journal("c", tempFolder());
  b.open({ id: "1", ...free });
  b.announce("x.txt", null);
  expect(a.others()).toMatchObject({
    calls: [{ session: "b", id: "1", to: Number.POSITIVE_INFINITY }],
    announced: [{ session: "b", path: "x.txt", state: null }],
  });
  expect(elsewhere.others()).toEqual({ calls: [], announced: [] });
  a.looking();
  a.looked();
  b.close("1", { ran: true });
  expect(a.others()).toMatchObject({ calls: [{ id: "1" }], announced: [] });
  a.looking();
  a.looked();
  expect(a.others()).toEqual({ calls: [], announced: [] });
});

test("ends where its folder is gone: the home of a session may be removed while it closes", () => {
  const { store, journal } = place();
  const one = journal("a");
  rmSync(store, { recursive: true });
  expect(() => one.end()).not.toThrow();
  expect(existsSync(store)).toBe(false);
});

test("what others do during a scan is seen again by the next one", () => {
  const { journal } = place();
  const [a, b] = [journal("a"), journal("b")];
  a.looking();
  b.open({ id: "1", ...free });
  b.announce("x.txt", null);
  b.close("1", { ran: true });
  const told = a.others();
  expect(told).toMatchObject({ calls: [{ id: "1" }], announced: [{ path: "x.txt" }] });
  a.looked();
  expect(a.others()).toEqual(told);
});

test("a call knows what was announced before it, and after a kill the next process gets the rest", () => {
  const { store, root, journal } = place();
  const [a, b] = [journal("a"), journal("b")];
  b.announce("old.txt", null);
  a.looking();
  a.looked();
  b.announce("new.txt", null);
  a.open({ id: "1", ...free });
  const left = readWorkFolders(store).find(({ about }) => about.session === "a");
  expect(left?.seen).toEqual({ [basename(b.folder)]: 1 });
  const next = new WorkJournal({ store, about: { root, session: "a" } });
  expect(next.others(left?.seen).announced.map(({ path }) => path)).toEqual(["new.txt"]);
});

test("a call that was refused changed nothing, and one that was asked about did so only after the answer", () => {
  const { journal } = place();
  const [a, b] = [journal("a"), journal("b")];
  b.open({ id: "1", ...free });
  b.close("1", { ran: false });
  b.open({ id: "2", ...free });
  const before = Date.now();
  b.allowed("2");
  expect(a.others().calls).toHaveLength(1);
  expect(a.others().calls[0]?.from).toBeGreaterThanOrEqual(before);
  expect(b.times(["1", "2"]).map(({ id }) => id)).toEqual(["2"]);
});

test("what a closed session told stays for those who were at work, and goes with the last of them", () => {
  const { store, journal } = place();
  const [a, b] = [journal("a"), journal("b")];
  b.open({ id: "1", ...free });
  b.close("1", { ran: true });
  b.recorded();
  b.end();
  expect(a.others().calls).toMatchObject([{ session: "b", id: "1" }]);
  a.end();
  expect(readdirSync(workFolders(store))).toEqual([]);
});

test("it is private, and never grows beyond its limit", () => {
  const { store, journal } = place();
  const a = journal("a");
  a.open({ id: "long", ...free });
  const lines = `${JSON.stringify({ line: "will", path: "x".repeat(1000), state: null, at: 1, up: 1 })}\n`.repeat(4100);
  appendFileSync(journalFile(a.folder), lines);
  a.announce("last.txt", null);
  const { size, mode } = statSync(journalFile(a.folder));
  expect([size < MOST_JOURNAL_BYTES, mode & 0o777]).toEqual([true, 0o600]);
  const [folder] = readWorkFolders(store);
  expect(folder?.calls.map(({ id }) => id)).toEqual(["long"]);
  expect(folder?.announced.at(-1)?.path).toBe("last.txt");
});

test("lines that are cut off, strange or of a later version are passed over", () => {
  const { store, journal } = place();
  const a = journal("a");
  a.open({ id: "1", ...free });
  const odd = [
    "null",
    "[]",
    '{"line":"group","id":"1","at":1,"up":1,"process":{"pid":-1}}',
    '{"line":"new","at":1,"up":1}',
  ];
  appendFileSync(journalFile(a.folder), `${odd.join("\n")}\n{"line":"close","id":"1"`);
  writeFileSync(join(workFolders(store), "not-ours"), "");
  expect(journalLines(readFileSync(journalFile(a.folder), "utf8"))).toHaveLength(1);
  expect(readWorkFolders(store).map(({ calls }) => calls.length)).toEqual([1]);
});

test("a group lives as long as one of its processes, and its number alone does not prove it", async () => {
  // The first process exits at once and leaves a child in its group.
  const child = spawn("/bin/sh", ["-c", "sleep 1000 & echo $!; exec sleep 0.2"], { detached: true, stdio: "pipe" });
  const group = processIdentity(child.pid as number);
  afterTest(() => {
    try {
      process.kill(-group.pid, "SIGKILL");
    } catch {
      // It has exited.
    }
  });
  await once(child, "exit");
  expect(isGroupAlive(group)).toBe(true);
  process.kill(-group.pid, "SIGKILL");
  await vi.waitFor(() => expect(isGroupAlive(group)).toBe(false), { timeout: 60_000 });
  const own = processIdentity(process.pid);
  expect(isGroupAlive({ ...own, start: `${own.start}0` })).toBe(false);
  expect(isGroupAlive({ pid: group.pid, start: "another-boot:1" })).toBe(false);
});
