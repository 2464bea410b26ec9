/** Damaged sessions for the tests of the tree: read from the text of a file. */
import { kindOf, roleOf, type SessionEntry } from "../../entry/index.js";
import { TreeIndex, type TreeSource } from "../../tree/index.js";

/** A source over the given entries, in file order and without repairs. The last one is the leaf. */
export function sourceOf(entries: readonly SessionEntry[], leaf: number = entries.length - 1): TreeSource {
  const tree = new TreeIndex();
  for (const [i, entry] of entries.entries()) {
    const placed = { kind: kindOf(entry), role: roleOf(entry), offset: i * 100, length: 200 };
    if (tree.add(entry.id, entry.parentId, placed) >= 0) tree.addDuplicate(entry.id, placed);
    if (entry.type === "unreadable") tree.setUnreadable(tree.count - 1);
  }
  tree.settle();
  return { tree, leaf, name: undefined, entryAt: (n) => entries[n] as SessionEntry, labelOf: () => undefined };
}

export function prompt(id: string, parentId: string | null, content: string = id): SessionEntry {
  const timestamp = "2026-01-15T11:00:00.000Z";
  return { type: "message", id, parentId, timestamp, message: { role: "user", content, timestamp: 1 } };
}

/**
 * `side`: a part next to the trunk has no parent; `trunk`: the trunk itself has none; `unreadable`: a line in the
 * middle.
 */
export function withSituation(what: "side" | "trunk" | "unreadable"): TreeSource {
  const whole = [prompt("a", null, "a whole start"), prompt("b", "a", "and what follows")];
  const piece = [prompt("p", "3fa2", "a piece of something"), prompt("q", "p", "its end")];
  if (what === "side") return sourceOf([...whole, ...piece], 1);
  if (what === "trunk") return sourceOf([...whole, ...piece]);
  const unreadable: SessionEntry = { type: "unreadable", id: "u", parentId: "b", timestamp: "", reason: "torn" };
  return sourceOf([...whole, unreadable, prompt("c", "u", "after the damage")]);
}
