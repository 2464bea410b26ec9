import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import { recordsAtEnds } from "./record-ends.js";

function fileWith(records: readonly object[]): string {
  const path = join(tempFolder(), "a.jsonl");
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  return path;
}

const types = (records: readonly Readonly<Record<string, unknown>>[] | undefined) => records?.map(({ type }) => type);

describe("the ends of a transcript", () => {
  it("cover all of a short one", () => {
    const ends = recordsAtEnds(fileWith([{ type: "a" }, { type: "b" }]));
    expect([types(ends?.head), types(ends?.tail)]).toEqual([["a", "b"], []]);
  });

  it("contain a first prompt that follows a large image", () => {
    const image = "é".repeat(300_000);
    const ends = recordsAtEnds(fileWith([{ type: "a" }, { type: "prompt", image, text: "look" }, { type: "z" }]));
    expect([types(ends?.head), ends?.head[1]?.text, types(ends?.tail)]).toEqual([["a", "prompt"], "look", ["z"]]);
  });

  it("omit the middle of a long one, and oversized records", () => {
    const many = Array.from({ length: 5000 }, (_, n) => ({ type: n, text: "x".repeat(100) }));
    const ends = recordsAtEnds(fileWith(many));
    expect([ends?.head[0]?.type, ends?.tail.at(-1)?.type]).toEqual([0, 4999]);
    expect((ends?.head.length ?? 0) + (ends?.tail.length ?? 0)).toBeLessThan(1500);
    const huge = recordsAtEnds(fileWith([{ type: "a" }, { type: "huge", text: "x".repeat(9_000_000) }, { type: "z" }]));
    expect([types(huge?.head), types(huge?.tail)]).toEqual([["a"], ["z"]]);
  });

  it("are undefined if the file is missing", () => {
    expect(recordsAtEnds(join(tempFolder(), "nothing.jsonl"))).toBeUndefined();
    expect(recordsAtEnds(tempFolder())).toBeUndefined();
  });
});
