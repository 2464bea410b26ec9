import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openForeign } from "@bough/workbench/interop/index.js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  BUDGETS,
  budgetsOf,
  budgetTable,
  CASE_NAMES,
  entryId,
  formatBytes,
  formatCount,
  formatRatio,
  formatTime,
  measurementTable,
  median,
  messages,
  otherImplementation,
  parseOptions,
  type Recipe,
  recipeOf,
  table,
  verdict,
  writeForeign,
  writeSession,
} from "./index.mjs";

let dir = "";
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "bough-bench-"));
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

interface Line {
  readonly type: string;
  readonly id: string;
  readonly parentId: string | null;
  readonly timestamp: string;
  readonly firstKeptEntryId?: string;
  readonly targetId?: string;
  readonly message?: { readonly role: string; readonly toolCallId?: string };
}

function generated(recipe: Recipe): { bytes: Buffer; header: { version: number }; entries: Line[] } {
  const path = join(dir, "generated.jsonl");
  const made = writeSession(path, recipe);
  const bytes = readFileSync(path);
  const [header, ...entries] = bytes
    .toString()
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(made).toEqual({ entries: entries.length, bytes: bytes.length });
  return { bytes, header, entries };
}

function countTypes(entries: readonly Line[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { type } of entries) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}

describe("the generator", () => {
  const recipes: Recipe[] = [
    { shape: "linear", text: "real", entries: 1500 },
    { shape: "linear", text: "small", entries: 1500, compacted: true },
    { shape: "bushy", text: "real", entries: 1500 },
    { shape: "bushy", text: "small", entries: 5000 },
    { shape: "siblings", text: "small", entries: 1500 },
    { shape: "deep", text: "small", entries: 1500 },
    { shape: "linear", text: "real", entries: Number.POSITIVE_INFINITY, bytes: 1_000_000, compacted: true },
  ];

  it.each(recipes)("writes the same bytes twice, and a tree that holds together: %o", (recipe) => {
    const first = generated(recipe);
    expect(first.bytes.equals(generated(recipe).bytes)).toBe(true);
    expect(first.bytes.equals(generated({ ...recipe, seed: 2 }).bytes)).toBe(false);
    expect(first.header.version).toBe(3);
    if (Number.isFinite(recipe.entries)) expect(first.entries).toHaveLength(recipe.entries);
    const seen = new Set<string>();
    // One `expect` for all, because there are thousands.
    const wrong = first.entries.flatMap((entry) => {
      const named = [entry.parentId, entry.firstKeptEntryId, entry.targetId].filter((id) => typeof id === "string");
      const isRight =
        Object.keys(entry).slice(0, 4).join() === "type,id,parentId,timestamp" &&
        /^[0-9a-f]{12}$/.test(entry.id) &&
        new Date(entry.timestamp).toISOString() === entry.timestamp &&
        !seen.has(entry.id) &&
        named.every((id) => seen.has(id));
      seen.add(entry.id);
      return isRight ? [] : [entry];
    });
    expect(wrong).toEqual([]);
  });

  it("gives every bushy session branches, labels, summaries, compactions and changes of model", () => {
    const { entries } = generated({ shape: "bushy", text: "small", entries: 20_000 });
    const types = countTypes(entries);
    for (const type of ["label", "branch_summary", "compaction", "model_change", "thinking_level_change", "custom"]) {
      expect(types[type], type).toBeGreaterThan(10);
    }
    const children = new Map<string, number>();
    for (const { parentId } of entries) children.set(parentId ?? "", (children.get(parentId ?? "") ?? 0) + 1);
    expect([...children.values()].filter((count) => count > 1).length).toBeGreaterThan(100);
  });

  it("gives nearly every entry of a siblings file the same parent", () => {
    const { entries } = generated({ shape: "siblings", text: "small", entries: 500 });
    const parent = entries[1]?.id;
    expect(entries.slice(2).every(({ parentId }) => parentId === parent)).toBe(true);
  });

  it("hangs every entry of a chain from the one before", () => {
    const { entries } = generated({ shape: "deep", text: "small", entries: 500 });
    expect(entries.map(({ parentId }) => parentId)).toEqual([null, ...entries.slice(0, -1).map(({ id }) => id)]);
  });

  it("puts one compaction near the leaf of a compacted file and says the same after it at every size", () => {
    const tails = [1000, 3000].map((entries) => {
      const made = generated({ shape: "linear", text: "small", entries, compacted: true }).entries;
      const at = made.findIndex(({ type }) => type === "compaction");
      expect(made.length - at).toBe(31);
      expect(countTypes(made)).toEqual({
        model_change: 1,
        thinking_level_change: 1,
        compaction: 1,
        message: entries - 3,
      });
      return made.slice(at).map(({ message }) => (message === undefined ? "" : { ...message, timestamp: 0 }));
    });
    expect(tails[0]).toEqual(tails[1]);
  });

  it("follows every tool call with its result", () => {
    const said = messages({ text: "real", count: 400 });
    const pairs = said.flatMap((message, index) => {
      const call = (message.content as { type?: string; id?: string }[]).find(({ type }) => type === "toolCall");
      return call === undefined || index === said.length - 1 ? [] : [[call.id, said[index + 1]?.toolCallId]];
    });
    expect(pairs.length).toBeGreaterThan(50);
    for (const [call, result] of pairs) expect(result).toBe(call);
  });

  it("writes real lines of about 3.2 KB and small ones of about 340 bytes, with text outside ASCII", () => {
    const path = join(dir, "sizes.jsonl");
    const real = writeSession(path, { shape: "linear", text: "real", entries: 2000 });
    expect(readFileSync(path).some((byte) => byte > 127)).toBe(true);
    expect(Math.abs(real.bytes / real.entries - 3200)).toBeLessThan(300);
    const small = writeSession(path, { shape: "linear", text: "small", entries: 2000 });
    expect(Math.abs(small.bytes / small.entries - 340)).toBeLessThan(30);
    expect(statSync(path).size).toBe(small.bytes);
  });

  it("never gives two places the same id", () => {
    const count = 200_000;
    const ids = new Set(Array.from({ length: count }, (_, place) => entryId(1, place)));
    expect(ids.size).toBe(count);
  });

  it("knows its data sets by name", () => {
    expect(recipeOf("bushy-real-100k")).toEqual({ shape: "bushy", text: "real", entries: 100_000 });
    expect(recipeOf("linear-small-1M-compacted")).toEqual({
      shape: "linear",
      text: "small",
      entries: 1_000_000,
      compacted: true,
    });
    expect(() => recipeOf("round-real-1k")).toThrow("bug: no data set is called round-real-1k");
  });
});

describe("the transcripts of other agents", () => {
  it.each(["claude-code", "codex", "gemini", "opencode"] as const)(
    "are the same bytes twice, and their reader knows every record: %s",
    async (agent) => {
      const made = ["first", "second"].map((name) => {
        const folder = join(dir, `${agent}-${name}`);
        mkdirSync(folder);
        return writeForeign(agent, folder, { bytes: 1_500_000, seed: 3 });
      });
      const [first, second] = made.map(({ path }) => readFileSync(path));
      expect(first?.length).toBeGreaterThanOrEqual(1_500_000);
      expect(second !== undefined && first?.equals(second)).toBe(true);
      const opened = await openForeign(made[0]?.path ?? "");
      expect(opened.source.agent).toBe(agent);
      expect(opened.report).toMatchObject({ records: made[0]?.entries, unknown: [] });
      expect(opened.session.getProblems()).toEqual([]);
      expect(opened.session.getBranch().length).toBeGreaterThan(200);
      opened.close();
    },
  );
});

describe("the report", () => {
  it("writes numbers as a person reads them", () => {
    expect([0.00005, 0.0123, 0.5, 7.391, 71.22, 838.4, 3210, 61_000].map(formatTime)).toEqual([
      "50.0 ns",
      "12.3 µs",
      "500 µs",
      "7.39 ms",
      "71.2 ms",
      "838 ms",
      "3.21 s",
      "61.0 s",
    ]);
    expect([12, 2048, 57_671_680, 2_362_232_012].map(formatBytes)).toEqual(["12 B", "2.00 KB", "55.0 MB", "2.20 GB"]);
    expect([1.234, 12.34, 123.4, Number.NaN].map(formatRatio)).toEqual(["1.23x", "12.3x", "123x", "-"]);
    expect([7, 1000, 1_234_567].map(formatCount)).toEqual(["7", "1,000", "1,234,567"]);
  });

  it("lines columns up and leaves out what the row above already says", () => {
    const rows = [
      ["open", "1k", "12.3 µs"],
      ["open", "10k", "1.00 ms"],
      ["list", "10k", "9 s"],
    ];
    expect(table({ titles: ["case", "data", "time"], right: ["time"], group: 2, rows })).toBe(
      [
        "case  data     time",
        "----  ----  -------",
        "open  1k    12.3 µs",
        "      10k   1.00 ms",
        "list  10k       9 s",
        "",
      ].join("\n"),
    );
  });

  it("shows measurements beside their limit", () => {
    const time = { median: 40, min: 39, runs: 5 };
    const shared = { case: "open", data: "1k" };
    expect(
      measurementTable([
        { ...shared, who: "limit", what: "read", time },
        { ...shared, who: "bough", what: "open", time, peak: 2 ** 20, ratio: 1, against: "read", note: "n" },
      ]),
    ).toBe(
      [
        "case  data  who    what   median      min     peak  ratio  against  note",
        "----  ----  -----  ----  -------  -------  -------  -----  -------  ----",
        "open  1k    limit  read  40.0 ms  39.0 ms",
        "            bough  open  40.0 ms  39.0 ms  1.00 MB  1.00x  read     n",
        "",
      ].join("\n"),
    );
  });

  it("marks a missed budget in capitals", () => {
    const budget = { id: "a", says: "a / b", wants: "at most", limit: 2, unit: "x" } as const;
    expect(
      budgetTable([
        { ...budget, value: 1.5, verdict: "met" },
        { ...budget, value: 9, verdict: "missed by more than 2x", note: "why" },
        { ...budget, verdict: "not measured" },
      ]),
    ).toBe(
      [
        "budget          limit  measured  result                  note",
        "------  -------------  --------  ----------------------  ----",
        "a / b   at most 2.00x     1.50x  met",
        "a / b   at most 2.00x     9.00x  MISSED BY MORE THAN 2X  why",
        "a / b   at most 2.00x         -  not measured",
        "",
      ].join("\n"),
    );
  });

  it("judges upper and lower limits alike", () => {
    const upper = [2, 2.1, 4, 4.1, undefined, Number.NaN].map((value) =>
      verdict({ limit: 2, wants: "at most" }, value),
    );
    const lower = [10, 9, 5, 4.9].map((value) => verdict({ limit: 10, wants: "at least" }, value));
    expect({ upper, lower }).toEqual({
      upper: ["met", "missed", "missed", "missed by more than 2x", "not measured", "not measured"],
      lower: ["met", "missed", "missed", "missed by more than 2x"],
    });
  });

  it("judges only what the chosen cases measure, and every budget belongs to a case", () => {
    expect(budgetsOf(["append", "list"]).map(({ id }) => id)).toEqual(["append", "list"]);
    expect(budgetsOf(CASE_NAMES)).toEqual(BUDGETS);
  });

  it("takes the middle of several runs", () => {
    expect([median([3, 1, 2]), median([4, 1, 3, 2]), median([7])]).toEqual([2, 2.5, 7]);
  });
});

describe("the command line", () => {
  const cases = ["open", "append"];

  it("measures everything unless told otherwise", () => {
    expect(parseOptions([], cases)).toEqual({
      kind: "run",
      options: {
        quick: false,
        once: false,
        keep: false,
        generate: false,
        help: false,
        json: undefined,
        only: cases,
        sizes: ["1k", "10k", "100k", "200k", "1M", "2gb"],
      },
    });
  });

  it("takes chosen cases and sizes, and says what it does not know", () => {
    const chosen = parseOptions(["--quick", "--only", "append", "--json", "out.json"], cases);
    expect(chosen).toMatchObject({
      options: { quick: true, only: ["append"], sizes: ["1k", "10k"], json: "out.json" },
    });
    expect(parseOptions(["--sizes", "3k"], cases)).toEqual({
      kind: "wrong",
      words: '--sizes does not know "3k"; it takes 1k, 10k, 100k, 200k, 1M, 2gb, 10M',
    });
    expect(parseOptions(["--fast"], cases).kind).toBe("wrong");
  });

  it("prints its help without measuring", () => {
    const entry = fileURLToPath(new URL("./run.mjs", import.meta.url));
    expect(execFileSync(process.execPath, [entry, "--help"], { encoding: "utf8" })).toContain("--sizes <size,...>");
  });

  it("looks for another implementation only if one is named", () => {
    expect(otherImplementation({})).toEqual({ kind: "not given" });
    expect(otherImplementation({ BOUGH_BENCH_OTHER: dir })).toEqual({
      kind: "wrong",
      words: `BOUGH_BENCH_OTHER: no module found in ${dir}`,
    });
  });
});
