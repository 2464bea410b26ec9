/** Two edits of one text, with `git merge-file` as an independent judge. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sampledRuns } from "../../../../../test/support/sampled.js";
import { tempFolder } from "../../../../../test/support/temp-folder.js";
import { mergeTexts, type ThreeTexts } from "./merge-texts.js";

/** Each number is a line, so lines are rarely alike. */
const text = (lines: readonly number[]) => lines.map((line) => `line ${line}\n`).join("");

/** An edit replaces some lines by new ones. Lines of the two sides differ unless they are from the shared range. */
const edits = (from: number) =>
  fc.array(
    fc.record({
      at: fc.nat(20),
      drop: fc.nat(3),
      add: fc.array(fc.oneof(fc.integer({ min: from, max: from + 50 }), fc.integer({ min: 900, max: 903 })), {
        maxLength: 3,
      }),
    }),
    { maxLength: 4 },
  );

function edited(lines: readonly number[], changes: readonly { at: number; drop: number; add: readonly number[] }[]) {
  const next = [...lines];
  for (const { at, drop, add } of changes) next.splice(Math.min(at, next.length), drop, ...add);
  return next;
}

const three = fc
  .record({ size: fc.nat(20), ours: edits(100), theirs: edits(200) })
  .map(({ size, ours, theirs }): ThreeTexts => {
    const base = Array.from({ length: size }, (_, at) => at);
    return { base: text(base), ours: text(edited(base, ours)), theirs: text(edited(base, theirs)) };
  });

/** Any text, with lines that repeat and endings of every kind. */
const anyText = fc
  .array(fc.constantFrom("", "a", "b", "}", "é"), { maxLength: 12 })
  .chain((lines) => fc.constantFrom("\n", "\r\n").map((ending) => lines.join(ending)));

describe("merging two edits of a text", () => {
  test("an edit of only one side wins, and the same edit on both sides is not a conflict", () => {
    fc.assert(
      fc.property(anyText, anyText, (base, other) => {
        const lf = (one: string) => one.replaceAll("\r\n", "\n");
        const is = (texts: ThreeTexts) => {
          const { text: merged, conflicts } = mergeTexts(texts);
          return [lf(merged), conflicts];
        };
        expect(is({ base, ours: base, theirs: other })).toEqual([lf(other), 0]);
        expect(is({ base, ours: other, theirs: base })).toEqual([lf(other), 0]);
        expect(is({ base, ours: other, theirs: other })).toEqual([lf(other), 0]);
      }),
      { numRuns: sampledRuns({ all: 20_000, some: 1000 }) },
    );
  });

  test("the sides can be swapped: the same lines conflict, and what merges is the same text", () => {
    fc.assert(
      fc.property(fc.oneof(three, fc.record({ base: anyText, ours: anyText, theirs: anyText })), (texts) => {
        const lf = (one: string) => one.replaceAll("\r\n", "\n");
        const one = mergeTexts(texts);
        const other = mergeTexts({ base: texts.base, ours: texts.theirs, theirs: texts.ours });
        expect(other.conflicts).toBe(one.conflicts);
        if (one.conflicts === 0) expect(lf(other.text)).toBe(lf(one.text));
      }),
      { numRuns: sampledRuns({ all: 20_000, some: 1000 }) },
    );
  });

  test("git merges the same texts, to the same result", ({ skip }) => {
    if (spawnSync("git", ["--version"]).status !== 0) skip("git is not installed");
    const folder = tempFolder();
    const ends = { clean: 0, conflicts: 0 };
    fc.assert(
      fc.property(three, (texts) => {
        for (const [name, content] of Object.entries(texts)) writeFileSync(join(folder, name), content);
        const judge = spawnSync("git", ["merge-file", "-p", "ours", "base", "theirs"], { cwd: folder });
        const merged = mergeTexts(texts);
        // The exit code is the number of conflicts; git may split one of ours, where both sides share lines in it.
        expect([texts, merged.conflicts > 0]).toEqual([texts, (judge.status ?? -1) > 0]);
        if (merged.conflicts === 0) expect(merged.text).toBe(judge.stdout.toString());
        ends[merged.conflicts === 0 ? "clean" : "conflicts"] += 1;
      }),
      { numRuns: sampledRuns({ all: 5000, some: 200 }) },
    );
    expect([ends.clean > 20, ends.conflicts > 20]).toEqual([true, true]);
  });

  test("conflict markers hold both versions, without what they share", () => {
    const merged = mergeTexts({ base: "a\nb\nc\n", ours: "a\nshared\nmine\nc\n", theirs: "a\nshared\nits\nc\n" });
    expect(merged).toEqual({
      text: "a\nshared\n<<<<<<< ours\nmine\n=======\nits\n>>>>>>> theirs\nc\n",
      conflicts: 1,
    });
  });

  test("a marker starts on a new line if a text does not end with a newline", () => {
    const { text: merged } = mergeTexts({ base: "a", ours: "b", theirs: "c" });
    expect(merged).toBe("<<<<<<< ours\nb\n=======\nc\n>>>>>>> theirs\n");
  });

  test("the result has the line endings of the file on disk", () => {
    const texts = { base: "a\nb\nc\n", ours: "a\r\nb\r\nc\r\nmine\r\n", theirs: "its\na\nb\nc\n" };
    expect(mergeTexts(texts)).toEqual({ text: "its\r\na\r\nb\r\nc\r\nmine\r\n", conflicts: 0 });
    const back = { base: "a\r\nb\r\n", ours: "a\nb\nmine\n", theirs: "its\r\na\r\nb\r\n" };
    expect(mergeTexts(back)).toEqual({ text: "its\na\nb\nmine\n", conflicts: 0 });
    const clash = { base: "a\r\n", ours: "b\r\n", theirs: "c\r\n" };
    expect(mergeTexts(clash).text).toBe("<<<<<<< ours\r\nb\r\n=======\r\nc\r\n>>>>>>> theirs\r\n");
  });

  test("in a text with several line endings each line keeps its own", () => {
    const texts = { base: "a\r\nb\nc\r\n", ours: "mine\na\r\nb\nc\r\n", theirs: "a\r\nb\nc\r\nits\r\n" };
    expect(mergeTexts(texts)).toEqual({ text: "mine\na\r\nb\nc\r\nits\r\n", conflicts: 0 });
  });

  test("texts that are too different to compare conflict as a whole, between their common ends", () => {
    const many = (name: string) => Array.from({ length: 4000 }, (_, at) => `${name} ${at}\n`).join("");
    const wrap = (middle: string) => `first\n${middle}last\n`;
    const merged = mergeTexts({ base: wrap(many("b")), ours: wrap(many("o")), theirs: wrap(many("t")) });
    expect([merged.conflicts, merged.text.startsWith("first\n<<<<<<< ours\no 0\n")]).toEqual([1, true]);
    expect(merged.text.endsWith(">>>>>>> theirs\nlast\n")).toBe(true);
  });
});
