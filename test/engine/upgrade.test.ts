/** Old dialects become version 3 once, on opening for writing; reading leaves no trace; real files stay as they are. */
import { copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadEntriesFromFile, SessionManager } from "@bough/session/session/index.js";
import { describe, expect, it } from "vitest";
import { user } from "../support/messages.js";
import { header, line } from "../support/session-lines.js";
import { tempFolder } from "../support/temp-folder.js";
import { drawn } from "../support/tree-notation.js";
import { upgradeRuns } from "../support/upgrade-run.mjs";

const TIME = "2026-01-15T12:00:00.000Z";
const json = (...records: readonly object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join("");
const says = (content: string, role = "user") => ({ role, content, timestamp: 1 });

/** Each with the texts of its path, and what the header becomes. */
const DIALECTS: Readonly<Record<string, { readonly version: number; readonly text: string }>> = {
  "version 1, a straight line without ids": {
    version: 1,
    text: json(
      { type: "session", id: "s", timestamp: TIME, cwd: "/w", provider: "acme", modelId: "m-1", thinkingLevel: "off" },
      { type: "message", timestamp: TIME, message: says("one") },
      { type: "message", timestamp: TIME, message: says("two") },
      { type: "compaction", timestamp: TIME, summary: "short", firstKeptEntryIndex: 2, tokensBefore: 9 },
      { type: "message", timestamp: TIME, message: says("three") },
    ),
  },
  "version 2, with the messages of hooks": {
    version: 2,
    text:
      header({ version: 2, id: "s" }) +
      json(
        { type: "message", id: "a", parentId: null, timestamp: TIME, message: says("one") },
        { type: "message", id: "b", parentId: "a", timestamp: TIME, message: says("two", "hookMessage") },
        { type: "message", id: "c", parentId: "b", timestamp: TIME, message: says("three") },
      ),
  },
  "version 2 with uuids, the header as the root, and a stack summary": {
    version: 2,
    text: json(
      { type: "session", version: 2, id: "s", uuid: "head", parentUuid: null, timestamp: TIME, cwd: "/w" },
      { type: "message", uuid: "a", parentUuid: "head", timestamp: TIME, message: says("one") },
      { type: "stack_summary", uuid: "b", parentUuid: "a", timestamp: TIME, summary: "two" },
      { type: "compaction", uuid: "k", parentUuid: "b", timestamp: TIME, summary: "short", firstKeptEntryUuid: "b" },
      { type: "message", uuid: "c", parentUuid: "k", timestamp: TIME, message: says("three") },
    ),
  },
};

function written(text: string): string {
  const path = join(tempFolder(), "session.jsonl");
  writeFileSync(path, text);
  return path;
}

/** The conversation in words. */
function texts(session: SessionManager): string[] {
  return session.getBranch().flatMap((entry) => {
    if (entry.type === "message") return [String((entry.message as { content: unknown }).content)];
    return entry.type === "branch_summary" || entry.type === "compaction" ? [entry.summary] : [];
  });
}

describe.each(Object.entries(DIALECTS))("%s", (_, { version, text }) => {
  const expected = ["one", "two", ...(text.includes("compaction") ? ["short"] : []), "three"];

  it("is upgraded on opening for writing, and the original kept word for word", () => {
    const path = written(text);
    const session = SessionManager.open(path);
    const backup = session.getUpgradeBackup() as string;
    expect([basename(backup), readFileSync(backup, "utf8")]).toEqual([`session.jsonl.v${version}.bak`, text]);
    expect([session.getHeader().version, texts(session), session.getProblems()]).toEqual([3, expected, []]);
    expect([session.getLeafEntry()?.type, session.getReadOnlyReason()]).toEqual(["message", undefined]);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    session.close();
  });

  it("is not touched again by the second opening, and goes on", () => {
    const path = written(text);
    SessionManager.open(path).close();
    const [bytes, files] = [readFileSync(path), readdirSync(dirname(path))];
    const session = SessionManager.open(path);
    session.close();
    expect([session.getUpgradeBackup(), readFileSync(path).equals(bytes), readdirSync(dirname(path))]).toEqual([
      undefined,
      true,
      files,
    ]);
    const going = SessionManager.open(path);
    const added = going.appendMessage(user("four"));
    going.close();
    expect(readFileSync(path).subarray(0, bytes.length).equals(bytes)).toBe(true);
    const again = SessionManager.open(path, undefined, { readOnly: true });
    expect([texts(again), again.getLeafId()]).toEqual([[...expected, "four"], added]);
    again.close();
  });

  it("is read as upgraded, with nothing written, on opening for reading", () => {
    const path = written(text);
    const [before, files] = [statSync(path), readdirSync(dirname(path))];
    const reading = SessionManager.open(path, undefined, { readOnly: true });
    expect([texts(reading), reading.getReadOnlyReason()?.kind]).toEqual([expected, "asked"]);
    expect(() => reading.appendMessage(user("x"))).toThrow(expect.objectContaining({ code: "read-only" }));
    const context = reading.buildSessionContext();
    const entries = reading.getEntries();
    reading.close();
    expect([readFileSync(path, "utf8"), readdirSync(dirname(path)), statSync(path).mtimeMs]).toEqual([
      text,
      files,
      before.mtimeMs,
    ]);
    // On disk it becomes the very same.
    const upgraded = SessionManager.open(path);
    expect([upgraded.getEntries(), upgraded.buildSessionContext()]).toEqual([entries, context]);
    upgraded.close();
  });

  it("is upgraded on the way into a fork, and itself only read", () => {
    const path = written(text);
    const fork = SessionManager.forkFrom(path, "/elsewhere", tempFolder());
    expect([texts(fork), fork.getHeader()]).toMatchObject([
      expected,
      { version: 3, cwd: "/elsewhere", parentSession: path },
    ]);
    expect([readFileSync(path, "utf8"), readdirSync(dirname(path))]).toEqual([text, ["session.jsonl"]]);
    fork.close();
  });
});

it("keeps the anchors of compactions, so that the context is what it was", () => {
  const kept = Object.values(DIALECTS).map(({ text }) => {
    const session = SessionManager.open(written(text), undefined, { readOnly: true });
    const messages = session.buildSessionContext().messages.map((message) => (message as { role: string }).role);
    session.close();
    return messages.join(" ");
  });
  expect(kept).toEqual(["compactionSummary user user", "user custom user", "compactionSummary branchSummary user"]);
});

describe("a version from the future", () => {
  const text = header({ version: 4, news: true }) + line("a", null, { news: [1] }) + line("b", "a");

  it("opens for reading only and says so, with what to do", () => {
    const path = written(text);
    const session = SessionManager.open(path);
    expect(session.getReadOnlyReason()).toEqual({
      kind: "future-version",
      version: 4,
      message: "This session was written in version 4 of the format, which is newer than this program",
      hint: "Update Bough to continue it; until then it is read-only.",
    });
    expect([drawn(session), session.getEntry("a")]).toMatchObject(["a-b*", { news: [1] }]);
    expect(() => session.appendMessage(user("x"))).toThrow(
      expect.objectContaining({
        code: "read-only",
        message: "This session was written in version 4 of the format, which is newer than this program",
        data: { reason: "future-version" },
      }),
    );
    session.branch("a");
    session.close();
    expect([readFileSync(path, "utf8"), readdirSync(dirname(path))]).toEqual([text, ["session.jsonl"]]);
  });
});

describe("files that pi wrote", () => {
  const folder = fileURLToPath(new URL("../fixtures/pi/", import.meta.url));
  const files = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));

  it.each(files)("%s opens for writing, keeps every byte, and goes on", (name) => {
    const path = join(tempFolder(), name);
    copyFileSync(join(folder, name), path);
    const before = readFileSync(path);
    const plain = loadEntriesFromFile(path).filter(({ type }) => type !== "session");
    const session = SessionManager.open(path);
    expect([session.getEntries(), session.getProblems(), session.getUpgradeBackup()]).toEqual([plain, [], undefined]);
    // pi goes on from the last entry of the file.
    expect([session.getLeafId(), session.getHeader().version]).toEqual([(plain.at(-1) as { id: string }).id, 3]);
    const { messages } = session.buildSessionContext();
    expect(messages.length).toBeGreaterThan(0);
    const added = session.appendMessage(user("from Bough"));
    session.close();

    const after = readFileSync(path);
    expect(after.subarray(0, before.length).equals(before)).toBe(true);
    // One line per entry, each with the fields every reader of the family looks for.
    const lines = after.subarray(before.length).toString("utf8").trimEnd().split("\n");
    expect(lines.map((text) => Object.keys(JSON.parse(text) as object).slice(0, 4))).toEqual([
      ["type", "id", "parentId", "timestamp"],
    ]);
    const again = SessionManager.open(path, undefined, { readOnly: true });
    expect([again.getEntries().slice(0, -1), again.getLeafId()]).toEqual([plain, added]);
    again.close();
  });

  it("are here", () => {
    expect(files.length).toBeGreaterThanOrEqual(6);
  });
});

it.each([
  [
    "version 1, by the index 0",
    json(
      { type: "session", id: "s", timestamp: TIME, cwd: "/w" },
      { type: "message", timestamp: TIME, message: says("one") },
      { type: "message", timestamp: TIME, message: says("two") },
      { type: "compaction", timestamp: TIME, summary: "short", firstKeptEntryIndex: 0, tokensBefore: 9 },
      { type: "message", timestamp: TIME, message: says("three") },
    ),
  ],
  [
    "version 2, by the uuid of the header",
    json(
      { type: "session", version: 2, uuid: "r", parentUuid: null, id: "s", timestamp: TIME, cwd: "/w" },
      { type: "message", uuid: "a", parentUuid: "r", timestamp: TIME, message: says("one") },
      { type: "message", uuid: "b", parentUuid: "a", timestamp: TIME, message: says("two") },
      { type: "compaction", uuid: "k", parentUuid: "b", timestamp: TIME, summary: "short", firstKeptEntryUuid: "r" },
      { type: "message", uuid: "c", parentUuid: "k", timestamp: TIME, message: says("three") },
    ),
  ],
])("keeps the whole conversation in the context of a compaction that names the header, in %s", (_, text) => {
  const session = SessionManager.open(written(text), undefined, { readOnly: true });
  const context = JSON.stringify(session.buildSessionContext().messages);
  session.close();
  expect(["short", "one", "two", "three"].filter((word) => !context.includes(word))).toEqual([]);
});

it("loses nothing that was acknowledged when several processes open an old file at the same moment", async () => {
  const { acknowledged, faults } = await upgradeRuns({ folder: tempFolder(), runs: 20, processes: 4 });
  expect(faults).toEqual([]);
  expect(acknowledged).toBeGreaterThan(100);
});
