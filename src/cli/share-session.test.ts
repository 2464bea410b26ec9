import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../test/support/temp-folder.js";
import { SessionManager } from "../session/index.js";
import { shareSession } from "./share-session.js";

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

describe("sharing from an agent", () => {
  test.each(["html", "markdown", "jsonl"] as const)("masks secrets in %s and moves nothing", async (format) => {
    const session = spokenSession();
    const leaf = session.getLeafId();
    const file = join(tempFolder(), `out.${format}`);
    const shared = await shareSession(session, { format, scope: "path", file });
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
    await shareSession(session, { format: "jsonl", scope: "branch", file: branch });
    expect(readFileSync(branch, "utf8")).not.toContain("first way");
    const all = join(folder, "all.jsonl");
    await shareSession(session, { format: "jsonl", scope: "all", file: all, secrets: "keep" });
    expect(readFileSync(all, "utf8")).toContain(SECRET);
    expect(readFileSync(all, "utf8")).toContain("first way");
    await expect(shareSession(session, { format: "jsonl", scope: "all", file: all })).rejects.toThrow("file already");
  });

  test("never replaces the session it is made from", async () => {
    const session = SessionManager.create("/project", tempFolder());
    session.appendMessage({ role: "user", content: "hello", timestamp: 1 });
    const file = session.getSessionFile() as string;
    const before = readFileSync(file, "utf8");
    const request = { format: "jsonl", scope: "path", file, existing: "replace" } as const;
    await expect(shareSession(session, request)).rejects.toThrow("the session itself");
    expect(readFileSync(file, "utf8")).toBe(before);
    session.close();
  });

  test("has nothing to write for an empty session", async () => {
    const request = { format: "html", scope: "path", file: join(tempFolder(), "x.html") } as const;
    await expect(shareSession(SessionManager.inMemory("/project"), request)).rejects.toThrow("nothing to export");
  });
});
