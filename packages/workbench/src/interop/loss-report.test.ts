/** Loss reports: every record counted once, lines grouped in runs. */
import { expect, it } from "vitest";
import { lossLines } from "./loss-lines.js";
import { LossCollector } from "./loss-report.js";

it("adds up, and groups lines in runs", () => {
  const collector = new LossCollector();
  for (const line of [1, 2, 3, 7]) collector.count("kept", { file: "a", line, type: "user" });
  collector.count("note", { file: "a", line: 4, type: "mode" });
  collector.count("reported", { file: "b", line: 1, type: "unreadable line", reason: "cut" });
  collector.nameUnknown("record type z");
  collector.nameUnknown("record type z");
  expect(collector.report()).toEqual({
    records: 6,
    kept: 4,
    converted: 0,
    notes: 1,
    reported: 1,
    counts: [
      {
        fate: "kept",
        type: "user",
        reason: undefined,
        file: "a",
        count: 4,
        lines: [
          [1, 3],
          [7, 7],
        ],
      },
      { fate: "note", type: "mode", reason: undefined, file: "a", count: 1, lines: [[4, 4]] },
      { fate: "reported", type: "unreadable line", reason: "cut", file: "b", count: 1, lines: [[1, 1]] },
    ],
    unknown: ["record type z"],
    missing: [],
  });
});

it("keeps counting beyond the runs that it lists", () => {
  const collector = new LossCollector();
  for (let line = 1; line < 2000; line += 2) collector.count("kept", { file: "a", line, type: "user" });
  const [count] = collector.report().counts;
  expect(count?.count).toBe(1000);
  expect(count?.lines.length).toBeLessThan(1000);
});

it("lists what was not simply kept, and where", () => {
  const collector = new LossCollector();
  for (const line of [1, 2]) collector.count("kept", { file: "a", line, type: "user" });
  collector.count("kept", { file: "a", line: 3, type: "user", reason: "its parent is not in the file" });
  for (const line of [4, 5, 9]) collector.count("note", { file: "a", line, type: "mode" });
  collector.nameUnknown("record type z");
  expect(lossLines(collector.report())).toEqual([
    "6 records: 3 kept, 0 converted, 3 kept as notes, 0 not imported",
    "kept: 1 user (its parent is not in the file), line 3",
    "note: 3 mode, line 4-5, 9",
    "unknown: record type z",
  ]);
  expect(lossLines(collector.report(), { all: true })).toContain("kept: 2 user, line 1-2");
});
