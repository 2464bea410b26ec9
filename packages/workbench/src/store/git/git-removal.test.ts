import { describe, expect, it } from "vitest";
import { addFile, bare, line, open, refsIn } from "./git-remote.test-support.js";
import { isRemovedBy, readmittalMarks, removalMark } from "./git-removal.js";

describe("marks of removals", () => {
  it("are answered all, also if two machines removed a session at once", () => {
    const marks = [removalMark(), removalMark()];
    expect(isRemovedBy(marks)).toBe(true);
    expect(isRemovedBy([...marks, ...readmittalMarks(marks)])).toBe(false);
  });

  it("are answered once, also if two machines let a session in again at once", () => {
    const first = [removalMark()];
    const marks = [...first, ...readmittalMarks(first), ...readmittalMarks(first)];
    expect(isRemovedBy(marks)).toBe(false);
    const again = [...marks, removalMark()];
    expect(isRemovedBy(again)).toBe(true);
    // A machine that did not know of the second removal.
    expect(isRemovedBy([...again, ...readmittalMarks(first)])).toBe(true);
    expect(isRemovedBy([...again, ...readmittalMarks(again)])).toBe(false);
  });

  it("of earlier versions are counted", () => {
    const removed = (n: number) => `removed-00000000000000${n}-0123abcd`;
    const readmitted = (n: number) => `readmitted-00000000000000${n}-0123abce`;
    expect(isRemovedBy([removed(1)])).toBe(true);
    expect(isRemovedBy([removed(1), readmitted(2)])).toBe(false);
    expect(isRemovedBy([removed(1), readmitted(2), removed(3)])).toBe(true);
    expect(isRemovedBy([removed(1), readmitted(2), readmitted(3), removalMark()])).toBe(true);
    const both = [removed(1), removed(2)];
    expect(isRemovedBy([...both, ...readmittalMarks(both)])).toBe(false);
  });

  it("of a git store are set and answered in the remote", async () => {
    const remote = bare();
    const [a, b] = [await open(remote, "a"), await open(remote, "b")];
    await a.push("s", [line("1")]);
    const [ref = ""] = refsIn(remote);
    for (const n of [1, 2])
      addFile(remote, { ref, path: `sessions/s/removed-00000000000000${n}-0123abcd`, text: "\n" });
    expect(await b.head("s")).toMatchObject({ removed: true });
    await Promise.all([a.readmit("s"), b.readmit("s")]);
    expect(await b.head("s")).not.toHaveProperty("removed");
    await Promise.all([a.remove("s"), b.remove("s")]);
    expect(await b.head("s")).toMatchObject({ removed: true });
    await a.readmit("s");
    expect(await b.push("s", [line("1")])).toEqual(expect.objectContaining({ added: expect.any(Number) }));
  });
});
