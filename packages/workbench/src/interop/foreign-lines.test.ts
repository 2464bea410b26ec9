/** Lines of transcripts, regardless of the pieces in which they are read. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { foreignLines } from "./foreign-lines.js";

function linesOf(text: string) {
  const path = join(tempFolder(), "a.jsonl");
  writeFileSync(path, text);
  return [...foreignLines(path)];
}

describe("the lines of a transcript", () => {
  it("are numbered including empty ones, which are skipped", () => {
    expect(linesOf("a\n\n \nb\nc")).toEqual([
      { line: 1, offset: 0, length: 1, text: "a", terminated: true },
      { line: 4, offset: 5, length: 1, text: "b", terminated: true },
      { line: 5, offset: 7, length: 1, text: "c", terminated: false },
    ]);
  });

  it("are complete even if longer than one read, without cutting characters", () => {
    const long = "ä".repeat(700_000);
    const found = linesOf(`${long}\n${long}${long}\nend\n`);
    expect(found.map(({ text }) => text.length)).toEqual([700_000, 1_400_000, 3]);
    expect(found.map(({ offset }) => offset)).toEqual([0, 1_400_001, 4_200_002]);
    expect(found.every(({ text }) => !text.includes("\uFFFD"))).toBe(true);
  });

  it("can be limited to those that end within the first bytes", () => {
    const path = join(tempFolder(), "a.jsonl");
    writeFileSync(path, `a\nb\n${"c".repeat(3_000_000)}\nd\n`);
    expect([...foreignLines(path, { within: 1000 })].map(({ text }) => text)).toEqual(["a", "b"]);
    expect([...foreignLines(path, { within: 4 })].map(({ text }) => text)).toEqual(["a", "b"]);
  });

  it("do not exist in an empty file", () => {
    expect(linesOf("")).toEqual([]);
  });
});
