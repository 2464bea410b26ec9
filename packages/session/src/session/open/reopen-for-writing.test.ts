import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { SessionManager } from "../index.js";

const user = (content: string) => ({ role: "user", content, timestamp: 0 }) as const;

function twoWindows() {
  const folder = tempFolder();
  const writer = SessionManager.create(folder, join(folder, "sessions"));
  const first = writer.appendMessage(user("one"));
  writer.appendMessage(user("two"));
  const looker = SessionManager.open(writer.getSessionFile() as string, undefined, { readOnly: true });
  return { writer, looker, first };
}

describe("a session that was opened for reading", () => {
  test("can be opened for writing, at the same leaf", () => {
    const { writer, looker, first } = twoWindows();
    looker.branch(first);
    looker.reopenForWriting();
    expect([looker.getReadOnlyReason(), looker.getLeafId()]).toEqual([undefined, first]);
    const own = looker.appendMessage(user("three"));
    looker.close();
    expect(writer.refresh()).toContain(own);
    expect(writer.getEntry(own)?.parentId).toBe(first);
    writer.close();
  });

  test("knows where the writer is", () => {
    const { writer, looker, first } = twoWindows();
    writer.branch(first);
    const there = writer.appendMessage(user("elsewhere"));
    looker.refresh();
    expect([looker.getFileLeafId(), looker.getLeafId()]).toEqual([there, writer.getEntries()[1]?.id]);
    looker.close();
    writer.close();
  });

  test("one in memory, and a writable one, are not changed", () => {
    const { writer } = twoWindows();
    const leaf = writer.getLeafId();
    writer.reopenForWriting();
    expect(writer.getLeafId()).toBe(leaf);
    const memory = SessionManager.inMemory();
    memory.reopenForWriting();
    expect(memory.getLeafId()).toBeNull();
    writer.close();
  });
});
