/** The record of a turn beside the session: what a kill leaves can be read back. */
import { readdirSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { ageTranscript } from "./age-transcript.js";
import { claimTurns, TurnJournal } from "./turn-journal.js";
import { TURN_VERSION, type TurnHead, TurnRecord } from "./turn-record.js";

const HEAD: TurnHead = {
  version: TURN_VERSION,
  ...{ sessionId: "s", leaf: null, driver: "x", nativeId: "n", model: "m", cwd: "/", prompt: "p", timestamp: 1 },
};

function place(store?: (text: string) => Promise<string | undefined>) {
  const folder = tempFolder();
  const session = join(folder, "s.jsonl");
  const journal = new TurnJournal(session, HEAD, store);
  const [name = ""] = readdirSync(folder);
  const path = join(folder, name);
  return { folder, session, journal, path, text: () => readFileSync(path, "utf8") };
}

test("the last state of a call is read back, with all that was shown of its output", () => {
  const { journal, path, text } = place();
  const call = { id: "1", title: "build", input: { command: "make" } };
  journal.add({ kind: "call", call: { ...call, status: "running", output: "a\n" } });
  for (let line = 0; line < 1000; line++) {
    const output = `a\n${"x\n".repeat(line + 1)}`;
    journal.add({ kind: "call", call: { ...call, status: "running", output } });
  }
  expect(TurnRecord.read(text())?.calls).toEqual(journal.record.calls);
  // Each output repeats the one before, and is written once.
  expect(statSync(path).size).toBeLessThan(100_000);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  journal.add({ kind: "call", call: { id: "1", status: "done", output: "made" } });
  expect(TurnRecord.read(text())?.calls.get("1")).toEqual({ ...call, status: "done", output: "made" });
  // A kill in the middle of a line.
  expect(TurnRecord.read(text().slice(0, -4))?.calls.get("1")?.output).toMatch(/^a\nx\n/);
  journal.discard();
  expect(() => statSync(path)).toThrow();
});

test("a long output is stored by its hash", async () => {
  const stored: string[] = [];
  const { journal, text } = place(async (output) => `hash-${stored.push(output)}`);
  const output = "y".repeat(300 << 10);
  journal.add({ kind: "call", call: { id: "1", status: "done", output } });
  await journal.whole();
  expect(stored).toEqual([output]);
  expect(TurnRecord.read(text())?.calls.get("1")?.stored).toBe("hash-1");
  expect(TurnRecord.read(text())?.calls).toEqual(journal.record.calls);
});

test("a journal of another version is kept as it is", () => {
  const { folder, session, journal, path } = place();
  journal.leave();
  const other = JSON.stringify({ ...HEAD, version: TURN_VERSION + 1 });
  writeFileSync(path, other);
  // As a dead process would have named it.
  const name = basename(path).replace(/(\d+)-[0-9a-f]{8}-/, "$1-00000000-");
  renameSync(path, join(folder, name));
  const named: string[] = [];
  expect(claimTurns(session, (one) => named.push(one))).toEqual([]);
  expect([named, readdirSync(folder), readFileSync(join(folder, name), "utf8")]).toEqual([[name], [name], other]);
});

test("a transcript that Bough wrote is never the newest of its folder", () => {
  const folder = tempFolder();
  const path = (name: string) => join(folder, name);
  for (const name of ["own.jsonl", "theirs.jsonl", "older.jsonl"]) writeFileSync(path(name), "");
  const day = 24 * 3600;
  const now = Date.now() / 1000;
  utimesSync(path("theirs.jsonl"), now - 3 * day, now - 3 * day);
  utimesSync(path("older.jsonl"), now - 60 * day, now - 60 * day);
  ageTranscript(path("own.jsonl"));
  expect(Math.round(statSync(path("own.jsonl")).mtimeMs / 1000)).toBe(Math.round(now - 3 * day - 60));
  // Not so old that Claude Code would delete it.
  utimesSync(path("theirs.jsonl"), now - 60 * day, now - 60 * day);
  ageTranscript(path("own.jsonl"));
  expect(statSync(path("own.jsonl")).mtimeMs / 1000).toBeGreaterThan(now - 21 * day);
});
