import { describe, expect, test } from "vitest";
import { answer, says, tree, user } from "../../context/tree-notation.test-support.js";
import { blockTitle } from "./block-title.test-support.js";
import { copiesRun } from "./copies-run.js";
import { pathBlocks } from "./path-blocks.js";

const record = (...sourceIds: readonly string[]) => ({
  type: "custom" as const,
  customType: "bough.cherry-pick",
  data: { via: "cherry-pick", sourceIds },
});

const { entries } = tree("r-a-s-b-c-u-t-d-w-e", {
  r: record("4a"),
  a: says(user("picked prompt")),
  s: record("4b", "4c"),
  b: says(answer("one")),
  c: says(answer("two")),
  u: says(user("said here")),
  t: record("4d"),
  d: says(answer("three")),
  w: record("5e"),
  e: says(answer("four")),
});

const nameOf = (id: string) => `#${id.charAt(0)}`;

describe("copies right below each other", () => {
  test("have one line that counts them all; another branch and what was said in between begin a new one", () => {
    expect(pathBlocks(entries, { branchName: nameOf }).map((block) => blockTitle(block, 60))).toEqual([
      "◆ picked 3 entries from #4",
      "● picked prompt",
      "○ one",
      "○ two",
      "● said here",
      "◆ picked 1 entry from #4",
      "○ three",
      "◆ picked 1 entry from #5",
      "○ four",
    ]);
  });

  test("may grow where they are the last thing on the path", () => {
    const at = (index: number) => copiesRun((offset) => entries[index + offset], nameOf);
    expect([at(0), at(2), at(8)]).toEqual([
      { continues: false, count: 3, atEnd: false },
      { continues: true, count: 2, atEnd: false },
      { continues: false, count: 1, atEnd: true },
    ]);
  });
});
