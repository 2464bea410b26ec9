import { describe, expect, it } from "vitest";
import { takeIn } from "../../../../test/support/take-in.js";
import { MemoryLog } from "./memory-log.js";

describe("a log in memory", () => {
  it("is writable by default", () => {
    const logs = [new MemoryLog(), new MemoryLog({ access: "read" })];
    expect(logs.map(({ writable }) => writable)).toEqual([true, false]);
  });

  it("can be filled although it may only be read", () => {
    const log = new MemoryLog({ access: "read" });
    log.fill(Buffer.from("a\n"));
    log.fill(Buffer.alloc(0));
    log.fill(Buffer.from("b\n"));
    expect([takeIn(log), log.certain, log.end]).toEqual([["a", "b"], 4, 4]);
  });

  it("is not opened a second time for a class that extends it: what that one stores would be lost", () => {
    class StoredLog extends MemoryLog {}
    expect(() => new StoredLog().another()).toThrow(
      expect.objectContaining({ code: "no-new-log", message: "StoredLog cannot be opened a second time" }),
    );
  });

  it("reads across the borders of what it was filled with", () => {
    const log = new MemoryLog();
    for (const part of ["ab", "c", "de\n", "fg"]) log.fill(Buffer.from(part));
    expect([log.readAt(1, 4), log.readAt(5, 100), log.readAt(0, 8)].map(String)).toEqual(["bcde", "\nfg", "abcde\nfg"]);
  });
});
