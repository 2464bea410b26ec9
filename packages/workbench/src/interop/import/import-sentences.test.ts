/** Messages about an import, from counts and reports. */
import { describe, expect, test } from "vitest";
import { LossCollector, type LossReport } from "../index.js";
import { importNotices, importSentence, shortDay } from "./import-sentences.js";

const now = new Date(2026, 10, 15, 18, 30);
const since = new Date(2026, 10, 12, 9, 5);

function reportOf(fill: (report: LossCollector) => void = () => {}): LossReport {
  const collector = new LossCollector();
  fill(collector);
  return collector.report();
}

function notes(count: number): LossReport {
  return reportOf((report) => {
    for (let line = 1; line <= count; line++) report.count("note", { file: "/a.jsonl", line, type: "mode" });
  });
}

describe("the sentence about an import", () => {
  const first = { turns: 212, branches: 4, since: undefined };

  test("says how much was imported and what was kept as notes", () => {
    expect(importSentence({ kind: "imported", added: 900, report: notes(3) }, first, { now })).toBe(
      "Imported 212 turns, 4 branches. 3 items had no equivalent and were kept as notes.",
    );
    expect(importSentence({ kind: "imported", added: 900, report: notes(1) }, first, { now })).toBe(
      "Imported 212 turns, 4 branches. 1 item had no equivalent and was kept as a note.",
    );
    expect(
      importSentence({ kind: "imported", added: 2, report: notes(0) }, { ...first, turns: 1, branches: 1 }, { now }),
    ).toBe("Imported 1 turn, 1 branch.");
  });

  test("says what would be imported in a dry run", () => {
    expect(importSentence({ kind: "imported", added: 900, report: notes(3) }, first, { now, mood: "would" })).toBe(
      "Would import 212 turns, 4 branches. 3 items have no equivalent and would be kept as notes.",
    );
  });

  test("says what is new since the previous import, or that nothing is", () => {
    const report = notes(3);
    expect(importSentence({ kind: "extended", added: 30, report }, { turns: 12, branches: 0, since }, { now })).toBe(
      "Added 12 turns since 12 Nov.",
    );
    expect(importSentence({ kind: "extended", added: 30, report }, { turns: 12, branches: 1, since }, { now })).toBe(
      "Added 12 turns, 1 branch since 12 Nov.",
    );
    expect(importSentence({ kind: "extended", added: 2, report }, { turns: 0, branches: 0, since }, { now })).toBe(
      "Added 2 entries since 12 Nov.",
    );
    expect(importSentence({ kind: "unchanged", added: 0, report }, { turns: 0, branches: 0, since }, { now })).toBe(
      "Nothing new since 12 Nov.",
    );
  });
});

describe("notices about an import", () => {
  const whole = { rewritten: [], changed: [], report: notes(2) };

  test("are empty if everything could be read", () => {
    expect(importNotices(whole)).toEqual([]);
  });

  test("name damaged lines, and do not count duplicates as damage", () => {
    const report = reportOf((collector) => {
      collector.count("reported", { file: "/s/a.jsonl", line: 2, type: "event", reason: "the same text" });
      for (const line of [4, 17, 18])
        collector.count("reported", { file: "/s/a.jsonl", line, type: "unreadable line" });
      collector.count("reported", { file: "/s/b\u001b[31m.jsonl", line: 9, type: "torn line" });
    });
    const [damage, ...others] = importNotices({ ...whole, report });
    expect(damage).toBe("4 lines could not be read: 4, 17-18 of a.jsonl; 9 of b.jsonl");
    expect(others).toEqual([]);
  });

  test("name unknown types", () => {
    const report = reportOf((collector) => {
      collector.nameUnknown("hologram");
      collector.nameUnknown("version 9");
    });
    expect(importNotices({ ...whole, report })).toEqual([
      "Unknown to this version, kept as notes: hologram, version 9",
    ]);
  });

  test("mention a rewritten source only if an entry would be converted differently", () => {
    // Some programs rewrite everything on each turn.
    expect(importNotices({ ...whole, rewritten: ["/a"] })).toEqual([]);
    expect(importNotices({ ...whole, rewritten: ["/a"], changed: ["1", "2"] })).toEqual([
      "The source was rewritten since the last import; 2 entries would now be converted differently and were kept.",
    ]);
  });
});

describe("a short date", () => {
  test("has the year if it is another one, and the time if it is today", () => {
    expect(shortDay(since, now)).toBe("12 Nov");
    expect(shortDay(new Date(2025, 1, 3), now)).toBe("3 Feb 2025");
    expect(shortDay(new Date(2026, 10, 15, 8, 4), now)).toBe("08:04");
  });
});
