import { expect, test } from "vitest";
import { Kind, Role, type SessionEntry } from "../entry/index.js";
import { GrowingContext } from "./growing-context.js";
import type { PathSource } from "./path-source.js";
import { user } from "./tree-notation.test-support.js";

/** A chain of prompts that counts how many were read. */
function longPath(count: number): PathSource & { read: number } {
  return {
    read: 0,
    leaf: count - 1,
    parentOf: (n) => n - 1,
    kindOf: () => Kind.message,
    roleOf: () => Role.user,
    markAt: () => -1,
    numberOf: () => -1,
    entryAt(n): SessionEntry {
      this.read += 1;
      const timestamp = "2026-01-01T00:00:00.000Z";
      return { type: "message", id: `e${n}`, parentId: null, timestamp, message: user(`e${n}`) };
    },
  };
}

test("a context built in slices lets other work run while it chooses the entries of a long path, and is the same", async () => {
  const source = longPath(10_000);
  let before = 0;
  const rest = async () => {
    if (source.read === 0) before += 1;
  };
  const sliced = await GrowingContext.inSlices(source, { freeze: false, rest });
  expect(before).toBeGreaterThan(3);
  expect(sliced.context()).toEqual(new GrowingContext(longPath(10_000)).context());
});
