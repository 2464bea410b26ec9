import { describe, expect, it } from "vitest";
import { type FileEntry, POSITION_TYPE, type SessionEntry } from "../entry/index.js";
import { buildSessionContext, getLatestCompactionEntry } from "./index.js";
import { tree } from "./tree-notation.test-support.js";

function names(entries: readonly unknown[], leafId?: string | null): string {
  return namesOf(buildSessionContext(entries as FileEntry[], leafId));
}
function namesOf(context: ReturnType<typeof buildSessionContext>): string {
  return context.messages.map((message) => ("content" in message ? message.content : message.role)).join(" ");
}
const entry = (id: unknown, parentId: unknown, fields: object = {}): unknown => ({
  type: "message",
  id,
  parentId,
  timestamp: "",
  message: { role: "user", content: id, timestamp: 0 },
  ...fields,
});
const position = (id: string, parentId: string | null) =>
  entry(id, parentId, { type: "custom", customType: POSITION_TYPE });
const label = (id: string, parentId: unknown) => entry(id, parentId, { type: "label", targetId: "a" });

describe("the leaf", () => {
  const { entries } = tree("a-b-c; b-d");

  it("is the one named", () => {
    expect(names(entries, "c")).toBe("a b c");
  });

  it("is the last conversation entry where none or an unknown one is named", () => {
    expect([names(entries), names(entries, undefined), names(entries, "gone")]).toEqual(["a b d", "a b d", "a b d"]);
  });

  it("is where a position record points, also before the first entry", () => {
    expect(names([...entries, position("p", "b")])).toBe("a b");
    expect(names([...entries, position("p", null)])).toBe("");
    expect(names([...entries, position("p", "gone")])).toBe("a b d");
    expect(names([position("p", "b"), label("l", "d"), ...entries])).toBe("a b d");
  });

  it("is not moved by labels and names elsewhere, and moves with those below it", () => {
    expect(names([...entries, label("l", "a")])).toBe("a b d");
    expect(names([...entries, label("l", "d"), position("p", "a"), label("m", "l")])).toBe("a");
    expect(names([...entries, label("l", "d"), entry("e", "l")])).toBe("a b d e");
    expect(names([...entries, position("p", null), label("l", "gone")])).toBe("");
  });

  it("stays where an unreadable entry follows", () => {
    expect(names([...entries, entry("x", "d", { type: "unreadable" })])).toBe("a b d");
  });
});

describe("damage", () => {
  it("headers and values that are not entries are passed over", () => {
    const header = { type: "session", id: "a", timestamp: "", cwd: "/" };
    expect(
      names([null, 3, "x", [], {}, header, entry("a", null), entry("", "a"), entry(7, "a"), entry("b", "a")]),
    ).toBe("a b");
  });

  it("a missing parent makes a root", () => {
    expect(
      names([entry("a", null), entry("b", "gone"), entry("c", "b"), entry("d", 5), entry("e", undefined)], "c"),
    ).toBe("b c");
  });

  it("a self-parent makes a root", () => {
    expect(names([entry("a", "a"), entry("b", "a")])).toBe("a b");
  });

  it("of two entries with one id the first counts", () => {
    const second = entry("a", null, { message: { role: "user", content: "second" } });
    expect(names([entry("a", null), entry("b", "a"), second])).toBe("a b");
  });

  it("a cycle is cut where a walk up from its first entry comes round, whichever entry is the leaf", () => {
    // b -> d -> c -> b, with e below c: the walk goes b d c, so c becomes the root
    const entries = [entry("a", null), entry("b", "d"), entry("c", "b"), entry("d", "c"), entry("e", "c")];
    expect(["b", "c", "d", "e"].map((leaf) => names(entries, leaf))).toEqual(["c d b", "c", "c d", "c e"]);
  });

  it("a position record is never a parent", () => {
    expect(names([entry("a", null), position("p", "a"), entry("b", "p")])).toBe("b");
  });

  it("parents may come after their children", () => {
    expect(names([entry("c", "b"), entry("b", "a"), entry("a", null)], "c")).toBe("a b c");
  });
});

describe("a lookup by id", () => {
  it("gives the same context as the entries", () => {
    const { entries } = tree("a-b-k-c; b-d", { k: { type: "compaction", summary: "S", firstKeptEntryId: "b" } });
    const byId = new Map(entries.map((e) => [e.id, e]));
    expect(buildSessionContext(entries, "c", byId)).toEqual(buildSessionContext(entries, "c"));
    expect(namesOf(buildSessionContext(entries, "c", byId))).toBe("compactionSummary b c");
    expect(namesOf(buildSessionContext(entries, "gone", byId))).toBe("a b d");
  });

  it("gives the same context in a cycle", () => {
    const entries = [entry("a", "b"), entry("b", "a"), entry("c", "a")] as SessionEntry[];
    const byId = new Map(entries.map((e) => [e.id, e]));
    expect(namesOf(buildSessionContext(entries, "c", byId))).toBe("b a c");
    expect(names(entries, "c")).toBe("b a c");
  });
});

it("the latest compaction is the last in the file, whatever its branch", () => {
  const { entries } = tree("a-k-b; a-m-c", { k: { type: "compaction" }, m: { type: "compaction" } });
  expect(getLatestCompactionEntry(entries)).toBe(entries[3]);
  expect(getLatestCompactionEntry([null, ...tree("a-b").entries] as FileEntry[])).toBe(null);
});

it("a chain of 130,000 entries is a normal input, also with its lines in reverse", () => {
  const entries = Array.from({ length: 130_000 }, (_, n) => entry(`e${n}`, n === 0 ? null : `e${n - 1}`));
  expect(buildSessionContext(entries as FileEntry[]).messages).toHaveLength(130_000);
  expect(buildSessionContext(entries.reverse() as FileEntry[], "e129999").messages).toHaveLength(130_000);
});

it("upgrades entries below a header of an old version, and leaves the array as it is", () => {
  const lines = [
    { type: "session", id: "s", timestamp: "", cwd: "/" },
    { type: "message", timestamp: "", message: { role: "user", content: "one", timestamp: 1 } },
    { type: "message", timestamp: "", message: { role: "hookMessage", customType: "x", content: "two", timestamp: 2 } },
  ] as unknown as FileEntry[];
  const before = structuredClone(lines);
  const { messages } = buildSessionContext(lines);
  expect(messages.map(({ role }) => role)).toEqual(["user", "custom"]);
  expect(lines).toEqual(before);
});
