import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../test/support/temp-folder.js";
import { SessionManager } from "../session/index.js";
import { exportSession } from "./export-session.js";

/** Put together, so that nobody takes it for a real one. */
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

  test("takes a branch alone, everything, and secrets where they are wanted", async () => {
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

  test("A7: a branch exported as JSONL is masked, and the path of the source is not in it", async () => {
    const folder = tempFolder();
    const session = SessionManager.create("/project", folder);
    const id = session.appendMessage({ role: "user", content: `use ${SECRET}`, timestamp: 1 });
    const file = join(folder, "branch.jsonl");
    const { findings } = await exportSession(session, { format: "jsonl", scope: "subtree", entryId: id, file });
    const text = readFileSync(file, "utf8");
    expect([text.includes(SECRET), text.includes(folder), findings.length]).toEqual([false, false, 1]);
    session.close();
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

  test("has nothing to write for an empty session", async () => {
    const request = { format: "html", scope: "path", file: join(tempFolder(), "x.html") } as const;
    await expect(exportSession(SessionManager.inMemory("/project"), request)).rejects.toThrow("nothing to export");
  });
});
