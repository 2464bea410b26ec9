/** Rules I2 and I7 on a failing disk: nothing is lost, nothing is written twice, and the error says what is pending. */
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { SessionManager } from "@bough/session/session/index.js";
import { describe, expect, it } from "vitest";
import { breakFiles, mendFiles, systemError } from "../support/file-faults.js";
import { user } from "../support/messages.js";
import { fastFolder } from "../support/temp-folder.js";
import { readableIds, seconds, tree } from "../support/tree-notation.js";

type WriteArgs = readonly [number, Buffer, number, number];

/** Writes at most this many bytes of each line, like a disk that fills up in the middle of one. */
function shortWrites(most: number): void {
  breakFiles("writeSync", (real, args) => {
    const [fd, bytes, offset] = args as unknown as WriteArgs;
    return (real as unknown as (...all: unknown[]) => number)(fd, bytes, offset, Math.min(most, bytes.length));
  });
}

function failingWrites(code: string): void {
  breakFiles("writeSync", () => {
    throw systemError(code);
  });
}

function thrownBy(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}

function reopened(session: SessionManager) {
  const again = SessionManager.open(session.getSessionFile() as string, undefined, { readOnly: true });
  const { entries, codes } = { entries: again.getEntries(), codes: again.getProblems().map(({ code }) => code) };
  const found = { ids: entries.map(({ id }) => id), leaf: again.getLeafId(), header: again.getHeader(), codes };
  again.close();
  return found;
}

describe("an append that the disk does not take", () => {
  it.each([
    ["ENOSPC", "disk-full"],
    ["EDQUOT", "disk-full"],
    ["EFBIG", "disk-full"],
    ["EIO", "write-failed"],
    ["EACCES", "write-failed"],
  ])("with %s is an error of code %s that names the entry, which stays", (systemCode, code) => {
    const session = tree("a-b", { dir: fastFolder() });
    failingWrites(systemCode);
    const error = thrownBy(() => session.appendMessage(user("c")));
    expect(error).toMatchObject({ name: "SessionError", code, data: { systemCode, entryId: "n1", waiting: 1 } });
    expect([session.getLeafId(), session.getWaitingCount(), session.getEntry("n1")]).toMatchObject([
      "n1",
      1,
      { id: "n1", parentId: "b", message: user("c") },
    ]);
    expect(session.buildSessionContext().messages).toHaveLength(3);
  });

  it("is written first by the next append, in order and once", () => {
    const session = tree("a-b", { dir: fastFolder() });
    failingWrites("ENOSPC");
    for (const text of ["c", "d", "e"]) thrownBy(() => session.appendMessage(user(text)));
    expect([session.getWaitingCount(), session.getBranch().map(({ id }) => id)]).toEqual([
      3,
      ["a", "b", "n1", "n2", "n3"],
    ]);
    mendFiles();
    session.appendMessage(user("f"));
    expect(session.getWaitingCount()).toBe(0);
    session.close();
    expect(reopened(session)).toMatchObject({ ids: ["a", "b", "n1", "n2", "n3", "n4"], leaf: "n4", codes: [] });
  });

  it.each(["sync", "close", "recordPosition"] as const)("is written by %s", (act) => {
    const session = tree("a-b", { dir: fastFolder() });
    failingWrites("ENOSPC");
    thrownBy(() => session.appendMessage(user("c")));
    mendFiles();
    session.branch("a");
    session[act]();
    session.close();
    expect(reopened(session)).toMatchObject({ ids: ["a", "b", "n1", "n2"], leaf: "a", codes: [] });
  });

  it("keeps what waits when closing fails too, and says so", () => {
    const session = tree("a-b", { dir: fastFolder() });
    failingWrites("ENOSPC");
    thrownBy(() => session.appendMessage(user("c")));
    expect(thrownBy(() => session.close())).toMatchObject({ code: "disk-full" });
    mendFiles();
    expect(reopened(session)).toMatchObject({ ids: ["a", "b"], codes: [] });
  });

  it("leaves a torn line that costs nothing, wherever the write was cut", () => {
    for (let cut = 1; ; cut++) {
      const session = tree("a-b", { dir: fastFolder() });
      shortWrites(cut);
      const error = thrownBy(() => session.appendMessage(user("c")));
      mendFiles();
      if (error === "n1") {
        expect(cut).toBeGreaterThan(100);
        return;
      }
      expect(error).toMatchObject({ code: "disk-full", data: { entryId: "n1", waiting: 1 } });
      session.appendMessage(user("d"));
      session.appendMessage(user("e"));
      const ids = session.getEntries().map(({ id }) => id);
      session.close();
      const found = reopened(session);
      expect({ cut, ids, found }).toMatchObject({
        cut,
        ids: ["a", "b", "n1", "n2", "n3"],
        found: { ids: ["a", "b", "n1", "n2", "n3"], leaf: "n3" },
      });
      expect(found.codes.every((code) => code === "unreadable-line")).toBe(true);
    }
  });

  it("is the first one: the file gets its header all the same, wherever the write was cut", () => {
    for (let cut = 1; cut < 240; cut++) {
      const options = { now: seconds(), newId: readableIds().next, newSessionId: () => "session-1" };
      const session = SessionManager.create("/w", fastFolder(), options);
      shortWrites(cut);
      thrownBy(() => session.appendMessage(user("a")));
      mendFiles();
      session.appendMessage(user("b"));
      session.close();
      const again = SessionManager.open(session.getSessionFile() as string);
      expect([cut, again.getHeader(), again.getReadOnlyReason()]).toEqual([cut, session.getHeader(), undefined]);
      expect(again.getEntries().map(({ id }) => id)).toEqual(["n1", "n2"]);
      again.close();
    }
  });
});

describe("a disk that takes the bytes and fails to sync", () => {
  it("has the line once, although the append threw", () => {
    const session = tree("a-b", { dir: fastFolder(), options: { durability: "fsync" } });
    breakFiles("fdatasyncSync", () => {
      throw systemError("EIO");
    });
    expect(thrownBy(() => session.appendMessage(user("c")))).toMatchObject({ code: "write-failed" });
    mendFiles();
    session.appendMessage(user("d"));
    session.close();
    expect(reopened(session)).toMatchObject({ ids: ["a", "b", "n1", "n2"], codes: [] });
  });

  it("is reported by sync, and the session continues", () => {
    const session = tree("a-b", { dir: fastFolder() });
    breakFiles("fdatasyncSync", () => {
      throw systemError("EIO");
    });
    expect(thrownBy(() => session.sync())).toMatchObject({ code: "write-failed" });
    mendFiles();
    session.appendMessage(user("c"));
    session.close();
    expect(reopened(session)).toMatchObject({ ids: ["a", "b", "n1"], codes: [] });
  });
});

describe("a file that is deleted on a full disk", () => {
  it("comes back whole when there is room, and no half-made file stays", () => {
    const dir = fastFolder();
    const session = tree("a-b", { dir });
    rmSync(session.getSessionFile() as string);
    failingWrites("ENOSPC");
    expect(thrownBy(() => session.appendMessage(user("c")))).toMatchObject({ code: "disk-full", data: { waiting: 1 } });
    mendFiles();
    expect(readdirSync(dir)).toEqual([]);
    session.appendMessage(user("d"));
    session.close();
    expect(reopened(session)).toMatchObject({ ids: ["a", "b", "n1", "n2"], codes: [] });
  });

  it("comes back whole also when it was cut to nothing", () => {
    const session = tree("a-b", { dir: fastFolder() });
    truncateSync(session.getSessionFile() as string, 0);
    failingWrites("ENOSPC");
    expect(thrownBy(() => session.appendMessage(user("c")))).toMatchObject({ code: "disk-full" });
    mendFiles();
    session.appendMessage(user("d"));
    session.close();
    expect(reopened(session)).toMatchObject({ ids: ["a", "b", "n1", "n2"], codes: [] });
  });

  it("does not push aside what another process put there meanwhile", () => {
    const dir = fastFolder();
    const session = tree("a-b", { dir });
    const file = session.getSessionFile() as string;
    const bytes = readFileSync(file);
    rmSync(file);
    // The other process restores the session and continues, right between our check and our rename.
    const other = `{"type":"message","id":"x","parentId":"b","timestamp":"2026-01-15T12:00:09.000Z","message":{"role":"user","content":"x","timestamp":1}}\n`;
    breakFiles("fdatasyncSync", (real, args) => {
      mendFiles();
      writeFileSync(file, Buffer.concat([bytes, Buffer.from(other)]));
      return (real as unknown as (...all: unknown[]) => unknown)(...args);
    });
    session.appendMessage(user("c"));
    session.close();
    expect(reopened(session).ids.sort()).toEqual(["a", "b", "n1", "x"]);
  });
});

describe("opening a file fails with what really happened", () => {
  it.each([
    ["EMFILE", "this process has too many files open", "ulimit -n"],
    ["ENFILE", "the system has too many files open", "ulimit -n"],
    ["EACCES", "permission denied", "permissions of the file"],
    ["EIO", "(EIO)", "the disk"],
  ])("%s", (code, reason, hint) => {
    const session = tree("a-b", { dir: fastFolder() });
    session.close();
    breakFiles("openSync", () => {
      throw systemError(code);
    });
    const error = thrownBy(() => SessionManager.open(session.getSessionFile() as string));
    expect(error).toMatchObject({ name: "SessionError", data: { systemCode: code } });
    expect((error as Error).message).toContain(reason);
    expect((error as { hint: string }).hint).toContain(hint);
  });
});

describe("a clock that gives no valid time", () => {
  it("fails with the code bad-clock, writes nothing, and the session works once the clock does", () => {
    let time = Number.NaN;
    expect(thrownBy(() => SessionManager.inMemory("/w", { now: () => new Date(time) }))).toMatchObject({
      code: "bad-clock",
    });
    time = 0;
    const session = SessionManager.inMemory("/w", { now: () => new Date(time) });
    const first = session.appendMessage(user("a"));
    time = Number.NaN;
    expect(thrownBy(() => session.appendMessage(user("lost?")))).toMatchObject({ code: "bad-clock" });
    expect([session.getLeafId(), session.getEntries().length]).toEqual([first, 1]);
    time = 1000;
    expect(session.getEntry(session.appendMessage(user("b")))).toMatchObject({ parentId: first });
  });
});
