/** Importing and opening: what is written, what is remembered, and what is not touched. */
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { ownerMark } from "@bough/session/log/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, it } from "vitest";
import { copySource, recordsIn, writeRecords } from "../../../../../test/support/interop-source.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { foreignSessionAt } from "../agents.js";
import { findSessions } from "../find-sessions.js";
import { openForeign } from "../open-foreign.js";
import { originsOf } from "./import-origin.js";
import { importSession } from "./import-session.js";

const samples = fileURLToPath(new URL("../../../../../test/fixtures/interop", import.meta.url));
const rewind = join(samples, "claude-code/rewind.jsonl");

/** A copy that a test may change. */
async function copyOf(path: string): Promise<string> {
  return copySource(await foreignSessionAt(path), tempFolder());
}

describe("importing", () => {
  it("creates a private session that records where it came from", async () => {
    const source = await foreignSessionAt(rewind);
    const { path, report } = await importSession(source, { dir: tempFolder() });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const session = SessionManager.open(path, undefined, { readOnly: true });
    expect(session.getHeader()).toMatchObject({
      version: 3,
      cwd: "/home/dev/project",
      importedFrom: { agent: "claude-code", id: "rewind", path: rewind },
    });
    const [origin] = originsOf(session);
    const bytes = statSync(rewind).size;
    expect(origin?.files).toMatchObject([{ path: rewind, bytes, records: report.records }]);
    expect(origin?.files[0]?.sha256).toMatch(/^[0-9a-f]{64}$/);
    session.close();
  });

  it("does not touch the user's own work in the session, nor move the leaf from it", async () => {
    const dir = tempFolder();
    const copy = await copyOf(rewind);
    const records = recordsIn(copy);
    const half = records.findIndex((line) => line.includes("Triple it instead."));
    writeRecords(copy, records.slice(0, half));
    const { path } = await importSession(await foreignSessionAt(copy), { dir });
    const mine = SessionManager.open(path);
    const entry = mine.appendMessage({ role: "user", content: "My own question.", timestamp: 0 });
    mine.close();
    const before = readFileSync(path);
    writeRecords(copy, records);
    expect(await importSession(await foreignSessionAt(copy), { dir })).toMatchObject({ kind: "extended", path });
    expect(readFileSync(path).subarray(0, before.length).equals(before)).toBe(true);
    const session = SessionManager.open(path, undefined, { readOnly: true });
    expect(session.getEntry(entry)).toMatchObject({ message: { content: "My own question." } });
    expect(session.getProblems()).toEqual([]);
    expect(session.getTipIds()).toHaveLength(2);
    expect(session.getLeafId()).toBe(entry);
    session.close();
  });

  it("leaves the leaf where the user moved it, even if they wrote nothing there", async () => {
    const dir = tempFolder();
    const copy = await copyOf(rewind);
    const records = recordsIn(copy);
    const half = records.findIndex((line) => line.includes("Triple it instead."));
    writeRecords(copy, records.slice(0, half));
    const { path } = await importSession(await foreignSessionAt(copy), { dir });
    const mine = SessionManager.open(path);
    const [first] = mine.getBranch().filter((entry) => entry.type === "message");
    mine.branch(first?.id as string);
    mine.close();
    for (const end of [records.length - 1, records.length]) {
      writeRecords(copy, records.slice(0, end));
      expect(await importSession(await foreignSessionAt(copy), { dir })).toMatchObject({ kind: "extended" });
      const session = SessionManager.open(path, undefined, { readOnly: true });
      expect(session.getLeafId()).toBe(first?.id);
      session.close();
    }
  });

  it("follows the source if the session was not continued", async () => {
    const dir = tempFolder();
    const copy = await copyOf(rewind);
    const records = recordsIn(copy);
    writeRecords(
      copy,
      records.slice(
        0,
        records.findIndex((line) => line.includes("Triple it instead.")),
      ),
    );
    await importSession(await foreignSessionAt(copy), { dir });
    writeRecords(copy, records);
    const { path } = await importSession(await foreignSessionAt(copy), { dir });
    const session = SessionManager.open(path, undefined, { readOnly: true });
    const answers = session.getBranch().filter((entry) => entry.type === "message");
    expect(answers.at(-1)).toMatchObject({ message: { content: [{ text: "Twenty-one." }] } });
    session.close();
  });

  it("reads an incomplete last line again once it is complete", async () => {
    const dir = tempFolder();
    const copy = await copyOf(rewind);
    const text = readFileSync(copy, "utf8");
    const cut = text.lastIndexOf("Twenty-one");
    writeFileSync(copy, text.slice(0, cut));
    const first = await importSession(await foreignSessionAt(copy), { dir });
    expect(first.report.reported).toBe(1);
    appendFileSync(copy, text.slice(cut));
    const second = await importSession(await foreignSessionAt(copy), { dir });
    expect(second).toMatchObject({ kind: "extended", rewritten: [] });
    expect(second.report.reported).toBe(0);
    expect(readFileSync(second.path, "utf8")).toContain("Twenty-one");
  });

  it("reports that the source was rewritten, and changes no existing entry", async () => {
    const dir = tempFolder();
    const copy = await copyOf(rewind);
    const first = await importSession(await foreignSessionAt(copy), { dir });
    const before = readFileSync(first.path);
    writeFileSync(copy, readFileSync(copy, "utf8").replaceAll("Seven.", "Eight."));
    const second = await importSession(await foreignSessionAt(copy), { dir });
    expect(second).toMatchObject({ kind: "unchanged", rewritten: [copy], added: 0 });
    expect(second.changed).toHaveLength(1);
    expect(readFileSync(first.path).subarray(0, before.length).equals(before)).toBe(true);
  });

  it("does not move the leaf back and forth between two files with one ID", async () => {
    const dir = tempFolder();
    const [whole, shorter] = [await copyOf(rewind), await copyOf(rewind)];
    const records = recordsIn(shorter);
    writeRecords(
      shorter,
      records.slice(
        0,
        records.findIndex((line) => line.includes("Triple it instead.")),
      ),
    );
    const first = await importSession(await foreignSessionAt(whole), { dir });
    for (const path of [shorter, whole, shorter]) {
      expect(await importSession(await foreignSessionAt(path), { dir })).toMatchObject({
        ...{ kind: "unchanged", path: first.path, added: 0 },
      });
    }
  });

  it("leaves nothing behind when stopped", async () => {
    const dir = tempFolder();
    const stop = AbortSignal.abort(new Error("enough"));
    await expect(importSession(await foreignSessionAt(rewind), { dir, signal: stop })).rejects.toThrow("enough");
    expect(readdirSync(dir)).toEqual([]);
  });
});

describe("leftovers of a killed process", () => {
  it("a partial import is removed by the next import into its folder, and one of a running process stays", async () => {
    const dir = tempFolder();
    const { pid } = spawnSync(process.execPath, ["-e", ""]);
    const left = join(dir, `session.jsonl.${ownerMark().replace(/^\d+/, String(pid))}.new`);
    const running = join(dir, `session.jsonl.${ownerMark()}.new`);
    for (const path of [left, running]) writeFileSync(path, "half a session\n");
    const { path } = await importSession(await foreignSessionAt(rewind), { dir });
    expect([existsSync(path), existsSync(left), existsSync(running)]).toEqual([true, false, true]);
  });

  it("the folder of a converted copy names its process, so that the next run can tell", async () => {
    const opened = await openForeign(rewind);
    expect(basename(dirname(opened.file)).startsWith(`bough-foreign-${ownerMark()}-`)).toBe(true);
    opened.close();
  });
});

describe("opening in place", () => {
  it("returns a read-only session, and leaves no trace once it is closed", async () => {
    const before = readFileSync(rewind);
    const opened = await openForeign(rewind);
    expect(opened.session.getCounts()).toMatchObject({ messages: 6, branches: 2 });
    expect(() => opened.session.appendMessage({ role: "user", content: "no", timestamp: 0 })).toThrow(
      expect.objectContaining({ code: "read-only" }),
    );
    const folder = dirname(opened.file);
    opened.close();
    expect(existsSync(folder)).toBe(false);
    expect(readFileSync(rewind).equals(before)).toBe(true);
  });

  it("refuses a file of no known agent, and says what to do", async () => {
    const path = join(tempFolder(), "notes.jsonl");
    writeFileSync(path, "just words\n");
    await expect(openForeign(path)).rejects.toMatchObject({
      code: "not-a-transcript",
      hint: expect.stringContaining("claude-code"),
    });
  });
});

describe("finding", () => {
  it("lists the sessions in the default folders of a home, newest first, without separate sub-agents", async () => {
    const home = tempFolder();
    const claude = join(home, ".claude/projects/-home-dev-project");
    const id = "700a8432-0d71-4294-bebc-a5f440a156b4";
    copySource(await foreignSessionAt(join(samples, `claude-code/subagent/${id}.jsonl`)), claude);
    copySource(
      await foreignSessionAt(join(samples, "pi/branches.jsonl")),
      join(home, ".pi/agent/sessions/--home-dev-project--"),
    );
    writeFileSync(join(claude, "empty.jsonl"), "");
    const found = await findSessions({ home });
    expect(found.map(({ agent, path, cwd }) => [agent, basename(path), cwd]).sort()).toEqual([
      ["claude-code", `${id}.jsonl`, "/home/dev/project"],
      ["pi", "branches.jsonl", "/home/dev/project"],
    ]);
    expect(found.find(({ agent }) => agent === "claude-code")).toMatchObject({
      id,
      title: "Let a helper look at src.",
    });
    expect(await findSessions({ home, agents: ["pi"] })).toHaveLength(1);
    expect(await findSessions({ home: join(home, "nobody") })).toEqual([]);
  });
});
