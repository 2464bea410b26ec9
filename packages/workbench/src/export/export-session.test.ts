import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { ExportError } from "@bough/session/entry/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { exportSession } from "./export-session.js";

/** Assembled, so that no scanner takes it for a real key. */
const SECRET = `ghp_${"aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY2zA4"}`;

function spokenSession(): SessionManager {
  const session = SessionManager.inMemory("/project");
  const start = session.appendMessage({ role: "user", content: `use ${SECRET}`, timestamp: 1 });
  session.appendMessage({ role: "user", content: "first way", timestamp: 1 });
  session.branch(start);
  session.appendMessage({ role: "user", content: "second way", timestamp: 1 });
  return session;
}

describe("exporting a session", () => {
  test.each(["html", "markdown", "jsonl"] as const)("masks secrets in %s and moves nothing", async (format) => {
    const session = spokenSession();
    const leaf = session.getLeafId();
    const file = join(tempFolder(), `out.${format}`);
    const shared = await exportSession(session, { format, scope: "path", file });
    const text = readFileSync(file, "utf8");
    expect(text).not.toContain(SECRET);
    expect(text).toContain("second way");
    expect(text).not.toContain("first way");
    expect(shared.findings.map(({ kept, count }) => ({ kept, count }))).toEqual([{ kept: false, count: 1 }]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(session.getLeafId()).toBe(leaf);
  });

  test("exports one branch or everything, and keeps secrets if asked to", async () => {
    const session = spokenSession();
    const folder = tempFolder();
    const branch = join(folder, "branch.jsonl");
    await exportSession(session, { format: "jsonl", scope: "branch", file: branch });
    expect(readFileSync(branch, "utf8")).not.toContain("first way");
    const all = join(folder, "all.jsonl");
    await exportSession(session, { format: "jsonl", scope: "all", file: all, secrets: "keep" });
    expect(readFileSync(all, "utf8")).toContain(SECRET);
    expect(readFileSync(all, "utf8")).toContain("first way");
    await expect(exportSession(session, { format: "jsonl", scope: "all", file: all })).rejects.toThrow("file already");
  });

  test("a branch exported as JSONL is masked, and the path of the source is not in it", async () => {
    const folder = tempFolder();
    const session = SessionManager.create("/project", folder);
    const id = session.appendMessage({ role: "user", content: `use ${SECRET}`, timestamp: 1 });
    const file = join(folder, "branch.jsonl");
    const { findings } = await exportSession(session, { format: "jsonl", scope: "subtree", entryId: id, file });
    const text = readFileSync(file, "utf8");
    expect([text.includes(SECRET), text.includes(folder), findings.length]).toEqual([false, false, 1]);
    session.close();
  });

  test("writes each ID once, keeps entries with a repeated ID, and opens at the session's position", async () => {
    const folder = tempFolder();
    const line = (id: string, parentId: string | null, content: string) =>
      JSON.stringify({
        ...{ type: "message", id, parentId, timestamp: "2026-01-01T00:00:00.000Z" },
        message: { role: "user", content, timestamp: 1 },
      });
    const header = { type: "session", version: 3, id: "s", timestamp: "2026-01-01T00:00:00.000Z", cwd: "/p" };
    const lines = [line("aaaa", null, "one"), line("bbbb", "aaaa", "two"), line("aaaa", "bbbb", `again ${SECRET}`)];
    const source = join(folder, "source.jsonl");
    writeFileSync(source, `${[JSON.stringify(header), ...lines, lines[0]].join("\n")}\n`);
    const session = SessionManager.open(source, folder, { readOnly: true });
    expect(session.getLeafId()).toBe("bbbb");
    const file = join(folder, "all.jsonl");
    await exportSession(session, { format: "jsonl", scope: "all", file });
    session.close();
    const written = readFileSync(file, "utf8")
      .trimEnd()
      .split("\n")
      .slice(1)
      .map((text) => JSON.parse(text) as { id: string; message?: { content: string } });
    const ids = written.map(({ id }) => id);
    expect([new Set(ids).size, ids.slice(0, 3)]).toEqual([ids.length, ["aaaa", "bbbb", "again-aaaa"]]);
    expect(written.flatMap(({ message }) => message?.content.slice(0, 5) ?? [])).toEqual(["one", "two", "again"]);
    expect(JSON.stringify(written)).not.toContain(SECRET);
    const copy = SessionManager.open(file, folder, { readOnly: true });
    expect([copy.getLeafId(), copy.getProblems()]).toEqual(["bbbb", []]);
    copy.close();
  });

  test("a default file name does not reveal what was masked", async () => {
    const session = spokenSession();
    session.appendSessionInfo(`key ${SECRET}`);
    const folder = tempFolder();
    const { file } = await exportSession(session, { format: "markdown", folder });
    expect(readdirSync(folder)).toEqual([basename(file)]);
    expect(file.toLowerCase()).not.toContain(SECRET.toLowerCase());
    expect(basename(file)).toMatch(/^key-/);
  });

  test("reports what it exports before it writes, and writes nothing if only the size is wanted", async () => {
    const folder = tempFolder();
    const told: unknown[] = [];
    const { bytes } = await exportSession(spokenSession(), {
      format: "jsonl",
      scope: "branch",
      folder,
      instead: "nowhere",
      onStaged: ({ scope, entries, target }) => told.push({ scope, entries, folder: dirname(target) }),
    });
    expect(told).toEqual([{ scope: "subtree", entries: 2, folder }]);
    expect(bytes).toBeGreaterThan(0);
    expect(readdirSync(folder)).toEqual([]);
  });

  test("says in one word why a target cannot be used, before the session is read", async () => {
    const folder = tempFolder();
    const taken = join(folder, "taken.md");
    writeFileSync(taken, "");
    const reasonFor = async (file: string) => {
      const onProgress = () => expect.unreachable("read before the target was looked at");
      const exporting = exportSession(spokenSession(), { format: "markdown", file, sources: [], onProgress });
      return exporting.catch(({ code, data }: ExportError) => [code, data.reason]);
    };
    expect(await reasonFor(taken)).toEqual(["export-failed", "exists"]);
    expect(await reasonFor(folder)).toEqual(["export-failed", "folder"]);
    expect(await reasonFor("/dev/null")).toEqual(["export-failed", "special"]);
  });

  test("never replaces the session it is made from", async () => {
    const session = SessionManager.create("/project", tempFolder());
    session.appendMessage({ role: "user", content: "hello", timestamp: 1 });
    const file = session.getSessionFile() as string;
    const before = readFileSync(file, "utf8");
    const request = { format: "jsonl", scope: "path", file, existing: "replace" } as const;
    await expect(exportSession(session, request)).rejects.toThrow("the session file itself");
    expect(readFileSync(file, "utf8")).toBe(before);
    session.close();
  });

  test("refuses an empty session", async () => {
    const request = { format: "html", scope: "path", file: join(tempFolder(), "x.html") } as const;
    await expect(exportSession(SessionManager.inMemory("/project"), request)).rejects.toThrow("nothing to export");
  });
});

test("system prompts are left out unless that is turned off: an undefined turns nothing off", async () => {
  const session = spokenSession();
  session.appendMessage({ role: "system", content: "be kind", timestamp: 1 });
  const file = join(tempFolder(), "out.jsonl");
  const request = { format: "jsonl", scope: "path", file, existing: "replace" } as const;
  await exportSession(session, { ...request, leaveOut: { systemPrompts: undefined } });
  expect(readFileSync(file, "utf8")).not.toContain("be kind");
  await exportSession(session, { ...request, leaveOut: { systemPrompts: false } });
  expect(readFileSync(file, "utf8")).toContain("be kind");
});
