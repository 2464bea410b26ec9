import { describe, expect, it } from "vitest";
import { isMark, Kind, Role, type SessionEntry } from "../entry/index.js";
import { kindOfType } from "../entry/internal.js";
import { buildContext, buildState, type PathSource } from "./index.js";
import { answer, type Content, says, user } from "./tree-notation.test-support.js";

interface Counted {
  readonly source: PathSource;
  /** The number of cheap calls, and the entries that were parsed. */
  readonly cost: { steps: number; readonly parsed: number[] };
}

/**
 * A chain 0-1-2-… of alternating user messages and answers, except where `special` has something else; counts the calls
 * made.
 */
function chain(length: number, special: ReadonlyMap<number, Content>): Counted {
  const cost = { steps: 0, parsed: [] as number[] };
  const markNumbers = [...special.keys()]
    .filter((n) => isMark(kindOfType(special.get(n)?.type ?? "")))
    .sort((a, b) => b - a);
  const step = <T>(value: T): T => {
    cost.steps++;
    return value;
  };
  const source: PathSource = {
    leaf: length - 1,
    parentOf: (n) => step(n - 1),
    kindOf: (n) => step(special.has(n) ? kindOfType(special.get(n)?.type ?? "") : Kind.message),
    roleOf: (n) => step(special.has(n) ? Role.none : n % 2 === 0 ? Role.user : Role.assistant),
    markAt: (n) => step(markNumbers.find((mark) => mark <= n) ?? -1),
    entryAt: (n) => {
      cost.parsed.push(n);
      const content = special.get(n) ?? says(n % 2 === 0 ? user(`${n}`) : answer(`${n}`));
      return {
        id: `${n}`,
        parentId: n === 0 ? null : `${n - 1}`,
        timestamp: "",
        ...content,
      } as unknown as SessionEntry;
    },
    numberOf: (id) => step(/^\d+$/.test(id) && Number(id) < length ? Number(id) : -1),
  };
  return { source, cost };
}

const MILLION = 1_000_000;
const compaction = (firstKeptEntryId: string): Content => ({
  type: "compaction",
  summary: "S",
  firstKeptEntryId,
  tokensBefore: 1,
});

describe("a chain of a million entries with a compaction near the leaf", () => {
  it("costs what is shown", () => {
    const { source, cost } = chain(MILLION, new Map([[999_990, compaction("999980")]]));
    expect(buildContext(source).messages).toHaveLength(1 + 10 + 9);
    expect(new Set(cost.parsed).size).toBe(20);
    expect(cost.parsed.length).toBeLessThanOrEqual(22);
    expect(cost.steps).toBeLessThan(200);
  });

  it("costs no more where the compaction keeps nothing or its anchor is unknown", () => {
    for (const anchor of ["999990", "gone"]) {
      const { source, cost } = chain(MILLION, new Map([[999_990, compaction(anchor)]]));
      expect(buildContext(source).messages).toHaveLength(1 + 9);
      expect(cost.steps).toBeLessThan(200);
    }
  });

  it("parses nothing more where the anchor turns out not to be above it", () => {
    const { source, cost } = chain(MILLION, new Map([[999_990, compaction("999995")]]));
    expect(buildContext(source).messages).toHaveLength(1 + 9);
    expect(cost.parsed.length).toBeLessThanOrEqual(12);
  });

  it("finds state at the root in one step per mark and parses only the latest of each kind", () => {
    const special = new Map<number, Content>([
      [0, { type: "thinking_level_change", thinkingLevel: "high" }],
      [999_990, compaction("999990")],
    ]);
    for (let n = 1; n <= 1000; n++) special.set(n * 500, { type: "mode_change", mode: `m${n}` });
    for (let n = 1; n <= 1000; n++)
      special.set(n * 500 + 2, { type: "context_edit", targetId: "1", replacement: null });
    const { source, cost } = chain(MILLION, special);
    const { thinkingLevel, mode } = buildContext(source);
    expect({ thinkingLevel, mode }).toEqual({ thinkingLevel: "high", mode: "m1000" });
    expect(cost.parsed.filter((n) => n < 999_990)).toEqual([500_000, 0]);
    expect(cost.steps).toBeLessThan(4 * 2002 + 200);
  });
});

it("entries that contribute nothing and entries that were left out are not parsed", () => {
  const special = new Map<number, Content>([
    [2, { type: "custom", customType: "x" }],
    [4, { type: "label", targetId: "1" }],
    [6, { type: "context_edit", targetId: "0", replacement: null }],
    [8, { type: "usage", kind: "k" }],
  ]);
  const { source, cost } = chain(10, special);
  buildContext(source);
  expect([...new Set(cost.parsed)].sort()).toEqual([1, 3, 5, 6, 7, 9]);
});

describe("the state alone", () => {
  it("is that of the context, and reads a few entries of a long path", () => {
    const special = new Map<number, Content>([
      [10, { type: "thinking_level_change", thinkingLevel: "high" } as Content],
    ]);
    const { source, cost } = chain(100_001, special);
    const state = buildState(source);
    expect(cost.parsed.length).toBeLessThan(5);
    const { messages: _, ...expected } = buildContext(source);
    expect(state).toEqual(expected);
    expect(state.thinkingLevel).toBe("high");
  });
});
