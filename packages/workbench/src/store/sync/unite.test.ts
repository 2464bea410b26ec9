import { describe, expect, test } from "vitest";
import type { StoredLine } from "../store.js";
import { lineFacts, lineHash } from "../stored-line.js";
import { type KnownLines, unite } from "./unite.js";

const desktop = { id: "d".repeat(16), name: "desktop" };
const entry = (id: string, parentId: string | null, text: string) =>
  Buffer.from(JSON.stringify({ type: "custom", id, parentId, timestamp: "t", customType: text }));
const from = (...lines: readonly Buffer[]): StoredLine[] => lines.map((bytes) => ({ bytes, replica: desktop }));

/** A copy that consists of these lines. */
function copy(...lines: readonly Uint8Array[]): KnownLines {
  const facts = lines.map((bytes) => ({ bytes, facts: lineFacts(bytes) }));
  return {
    lineOf: (id) => facts.find((one) => one.facts?.id === id)?.bytes,
    renamed: (replica, id) => {
      const found = facts.find(({ facts: one }) => {
        const origin = one?.record.syncedFrom as { id?: string; replica?: string } | undefined;
        return origin?.id === id && origin.replica === replica && one?.id !== id;
      });
      return found?.facts?.id;
    },
  };
}
const places = (lines: readonly { readonly id: string; readonly parentId: string | null }[]) =>
  lines.map(({ id, parentId }) => `${parentId ?? "-"} ${id}`);

describe("uniting copies", () => {
  test("takes what is missing, parents first, and passes over what is here, twice or damaged", () => {
    const a = entry("a", null, "a");
    const b = entry("b", "a", "b");
    const c = entry("c", "b", "c");
    const united = unite(from(c, b, a, b, Buffer.from("{torn")), copy(a));
    expect(places(united.lines)).toEqual(["a b", "b c"]);
    expect({ taken: united.taken, damaged: united.damaged }).toEqual({ taken: [], damaged: 1 });
  });

  test("an ID that is taken: both entries stay, and the children of the one that came follow it", () => {
    const here = [entry("a", null, "a"), entry("b", "a", "mine"), entry("c", "b", "below mine")];
    const theirs = entry("b", "a", "theirs");
    const newId = lineHash(theirs).slice(0, 12);
    const first = unite(from(theirs, entry("d", "b", "below theirs")), copy(...here));
    expect(places(first.lines)).toEqual([`a ${newId}`, `${newId} d`]);
    expect(first.taken).toEqual([{ id: "b", newId, replica: desktop }]);
    // Uniting again, with a child that arrives later: nothing is added twice, and the child finds its parent.
    const after = copy(...here, ...first.lines.map(({ bytes }) => bytes));
    const again = unite(from(theirs, entry("d", "b", "below theirs"), entry("e", "b", "later")), after);
    expect(places(again.lines)).toEqual([`${newId} e`]);
    expect(again.taken).toEqual([]);
  });

  test("an ID that is taken, by a line that came from two replicas: it is added once", () => {
    const here = entry("b", null, "mine");
    const theirs = entry("b", null, "theirs");
    const laptop = { id: "e".repeat(16), name: "laptop" };
    const both = [...from(theirs), { bytes: theirs, replica: laptop }];
    const child = { bytes: entry("c", "b", "below theirs"), replica: laptop };
    const newId = lineHash(theirs).slice(0, 12);
    expect(places(unite([...both, child], copy(here)).lines)).toEqual([`- ${newId}`, `${newId} c`]);
  });
});
