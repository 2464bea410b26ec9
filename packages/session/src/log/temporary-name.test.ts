import { expect, test } from "vitest";
import { isTemporaryName, isTemporaryNameFor, temporaryNameFor } from "./temporary-name.js";

test.each(["src/a.ts", ".env", "x", `${"é".repeat(300)}.txt`, "line\nbreak"])(
  "the name for %j is known as one, and as its owner's only",
  (path) => {
    const owner = { pid: 17, token: `toolu_01/${"a".repeat(100)}` };
    const name = temporaryNameFor(path, owner, 20);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
    expect([isTemporaryName(name), isTemporaryNameFor(path, owner, name)]).toEqual([true, true]);
    expect(isTemporaryNameFor(path, { ...owner, pid: 18 }, name)).toBe(false);
    expect(isTemporaryNameFor(path, { ...owner, token: "b" }, name)).toBe(false);
    expect(isTemporaryNameFor("other", owner, name)).toBe(false);
  },
);

test.each(["a.tmp", ".a.tmp", "a.17-x-0.tmp", ".a.17-x-0.tmp.bak", ".a.x-17-0.tmp", ".a.17-x.tmp"])(
  "%s is a file like any other",
  (name) => {
    expect(isTemporaryName(name)).toBe(false);
  },
);
