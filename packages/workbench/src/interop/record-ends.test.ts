import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import type { LineRecord } from "./line-records.js";
import { recordsAtEnds } from "./record-ends.js";

function fileWith(records: readonly object[]): string {
  const path = join(tempFolder(), "a.jsonl");
  writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  return path;
}

const types = (records: Iterable<LineRecord> = []) => [...records].map(({ type }) => type);

describe("the ends of a transcript", () => {
  it("cover all of a short one", () => {
    const ends = recordsAtEnds(fileWith([{ type: "a" }, { type: "b" }]));
    expect([types(ends?.head), types(ends?.tail)]).toEqual([["a", "b"], []]);
  });

  it("contain a first prompt that follows a large image", () => {
    const image = "é".repeat(300_000);
    const ends = recordsAtEnds(fileWith([{ type: "a" }, { type: "prompt", image, text: "look" }, { type: "z" }]));
    expect([types(ends?.head), [...(ends?.head ?? [])][1]?.text, types(ends?.tail)]).toEqual([
      ["a", "prompt"],
      "look",
      ["z"],
    ]);
  });

  it("omit the middle of a long one, and oversized records", () => {
    const many = Array.from({ length: 5000 }, (_, n) => ({ type: n, text: "x".repeat(100) }));
    const ends = recordsAtEnds(fileWith(many));
    expect([types(ends?.head)[0], types(ends?.tail).at(-1)]).toEqual([0, 4999]);
    expect([...types(ends?.head), ...types(ends?.tail)].length).toBeLessThan(1500);
    const huge = recordsAtEnds(fileWith([{ type: "a" }, { type: "huge", text: "x".repeat(9_000_000) }, { type: "z" }]));
    expect([types(huge?.head), types(huge?.tail)]).toEqual([["a"], ["z"]]);
  });

  it("know the last record of a kind, also where its name is written with escapes", () => {
    const path = join(tempFolder(), "a.jsonl");
    const kinds = ["ai-title", "ai-title", "ai\\u002dtitle", "other"];
    writeFileSync(path, kinds.map((kind, n) => `{"type":"${kind}","n":${n},"of":"ai-title"}\n`).join(""));
    const titles = (wanted: string) =>
      recordsAtEnds(path)?.head.last([wanted], ({ type, n }) => (type === wanted ? n : undefined));
    expect([titles("ai-title"), titles("other"), titles("custom-title")]).toEqual([2, 3, undefined]);
  });

  it("are undefined if the file is missing", () => {
    expect(recordsAtEnds(join(tempFolder(), "nothing.jsonl"))).toBeUndefined();
    expect(recordsAtEnds(tempFolder())).toBeUndefined();
  });
});
