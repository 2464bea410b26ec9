/** The position of a window's end must not matter: at any byte of a word, inside long lines, and while files change. */
import { appendFileSync, mkdirSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { type SearchProgress, searchSessions } from "../search-sessions.js";
import { createByteFinder } from "./match/find-bytes.js";
import { LineFilter } from "./match/line-filter.js";
import { scanFile } from "./scan-file.js";
import { HEADER, line, temporaryFolder, writeLines } from "./search.test-support.js";
import { FileSearcher } from "./search-file.js";
import type { FileStep } from "./search-hit.js";
import { planSearch } from "./search-plan.js";

const WINDOW = 1 << 11;
const PLAN = planSearch("needles", { caseSensitive: false, maxExcerpt: 50 });

/** The bytes after the text in a line, and the overlap between two parts of a long line. */
const AFTER_WORD = '","timestamp":1}}'.length;
const OVERLAP = 1 << 10;

function found(steps: Iterable<FileStep>): string[] {
  return [...steps].flatMap((step) => step.hits.map((hit) => hit.entryId));
}

function filter(): LineFilter {
  return new LineFilter(PLAN.runs, createByteFinder(WINDOW));
}

/** A line of exactly this many bytes, including its newline. */
function lineOf(bytes: number, id: string, text: string): string {
  return line(id, null, `${"-".repeat(bytes - 1 - line(id, null, text).length)}${text}`);
}

describe("a word around the end of a window", () => {
  const places = Array.from({ length: 24 }, (_, shift) => shift - 12);

  test.each([
    ["in a line of its own", 300],
    ["at the end of the first part of a long line", WINDOW + AFTER_WORD + 4],
    ["at the end of the second part", 2 * WINDOW - OVERLAP + AFTER_WORD + 2],
    ["in a line longer than three", 3 * WINDOW + 100],
  ])("is found at every offset, %s", (_name, length) => {
    const path = join(temporaryFolder(), "s.jsonl");
    const searcher = new FileSearcher(PLAN, WINDOW);
    for (const shift of places) {
      // The word ends around the end of a window that starts with the file, and of one that starts with its line.
      const filler = WINDOW * 2 - 300 - HEADER.length - 1 + shift;
      const lines = [
        HEADER,
        lineOf(filler, "f", "hay"),
        lineOf(length + shift, "n", "needles"),
        line("t", null, "hay"),
      ];
      writeFileSync(path, `${lines.join("\n")}\n`);
      expect(found(searcher.search(path)), `shifted by ${shift}`).toEqual(["n"]);
      expect([...scanFile(path, filter())].at(-1)?.rest).toEqual({ from: HEADER.length + 1 + filler });
    }
  });
});

test("the rest of a file is searched from a line on", () => {
  const lines = [HEADER, line("a", null, "needles"), lineOf(3 * WINDOW, "b", "needles"), line("c", "a", "needles")];
  const path = writeLines(temporaryFolder(), lines);
  const from = HEADER.length + 1 + (lines[1] as string).length + 1;
  const steps = [...new FileSearcher(PLAN, WINDOW).search(path, from)];
  expect(found(steps)).toEqual(["b", "c"]);
  expect(steps.every((step) => step.done >= from)).toBe(true);
});

test("files with hits one after another give the same hits, whenever their index is made", () => {
  const folder = temporaryFolder();
  const searcher = new FileSearcher(PLAN, WINDOW);
  for (let n = 0; n < 6; n++) {
    const lines = [lineOf(n * 900 + 200, "a", "needles"), line("b", "a", "hay"), line("c", "b", "needles")];
    const path = writeLines(folder, [HEADER, ...lines], { name: `${n}.jsonl` });
    expect(found(searcher.search(path))).toEqual(["a", "c"]);
  }
});

test("more matching lines than wait for an index are all found, also where the file has no newline at its end", () => {
  const folder = temporaryFolder();
  const searcher = new FileSearcher(PLAN, 1 << 17);
  const ids = Array.from({ length: 120 }, (_, n) => `${n}`);
  const lines = ids.map((id, n) => lineOf(50_000, id, n % 40 === 7 ? "hay" : "needles"));
  const expected = ids.filter((_, n) => n % 40 !== 7);
  for (const [n, end] of ["\n", "\n", "\n", "", '\n{"type":"mess'].entries()) {
    const path = join(folder, `${n}.jsonl`);
    writeFileSync(path, `${[HEADER, ...lines].join("\n")}${end}`);
    expect(found(searcher.search(path)), `file ${n}`).toEqual(expected);
  }
});

test("many files with hits: all hits, in order, and unreadable files are reported", async () => {
  const folder = temporaryFolder();
  const names = Array.from({ length: 24 }, (_, n) => `${n}.jsonl`);
  const files = names.map((name, n) => {
    if (n === 15) return join(folder, name);
    const lines = [lineOf(n * 100_000 + 200, `${n}-a`, "needles"), line(`${n}-b`, `${n}-a`, "needles")];
    return writeLines(folder, [HEADER, ...lines], { name, modified: 9000 - n });
  });
  mkdirSync(join(folder, "15.jsonl"));
  utimesSync(join(folder, "15.jsonl"), 8985, 8985);
  let last: SearchProgress | undefined;
  const found: string[] = [];
  const onProgress = (progress: SearchProgress) => {
    last = progress;
  };
  for await (const hit of searchSessions("needles", { files, onProgress })) found.push(hit.entryId);
  expect(found).toEqual(names.flatMap((_, n) => (n === 15 ? [] : [`${n}-a`, `${n}-b`])));
  expect(last?.problems.map((problem) => problem.path)).toEqual([join(folder, "15.jsonl")]);
});

describe("a look through a file", () => {
  test("gives no rest where nothing can match, and how far it is", () => {
    const path = writeLines(temporaryFolder(), [HEADER, lineOf(5 * WINDOW, "a", "hay"), line("b", "a", "hay")]);
    const steps = [...scanFile(path, filter())];
    expect(steps.some((step) => step.rest !== undefined)).toBe(false);
    expect(steps.at(-1)?.done).toBe(HEADER.length + 1 + 5 * WINDOW + line("b", "a", "hay").length + 1);
  });

  test("leaves what cannot be read to the code that reports it", () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "folder.jsonl"));
    for (const name of ["folder.jsonl", "absent.jsonl"]) {
      expect([...scanFile(join(folder, name), filter())]).toEqual([{ hits: [], done: 0, rest: { from: 0 } }]);
    }
  });
});

describe("a file that changes while it is searched", () => {
  const hay = Array.from({ length: 8 }, (_, n) => lineOf(WINDOW - 200, `h${n}`, "hay"));

  test("is searched as far as it goes if it was truncated", () => {
    const path = writeLines(temporaryFolder(), [HEADER, line("a", null, "needles"), ...hay, line("z", "a", "needles")]);
    const steps = new FileSearcher(PLAN, WINDOW).search(path);
    const first = steps.next().value as FileStep;
    truncateSync(path, 2 * WINDOW);
    const rest = [...steps];
    expect(found([first, ...rest])).toEqual(["a"]);
    expect(rest.flatMap((step) => step.problem ?? [])).toEqual([]);
  });

  test("is searched to its new end where it grew before its first hit", () => {
    const path = writeLines(temporaryFolder(), [HEADER, ...hay]);
    const steps = new FileSearcher(PLAN, WINDOW).search(path);
    const first = steps.next().value as FileStep;
    appendFileSync(path, `${line("z", "h0", "needles")}\n`);
    expect(found([first, ...steps])).toEqual(["z"]);
  });
});

test("other work may run while the index for the first hit is made, and between the hits of one window", () => {
  const path = join(temporaryFolder(), "s.jsonl");
  const lines = Array.from({ length: 400 }, (_, n) => lineOf(10_000, `n${n}`, "needles"));
  writeFileSync(path, `${[HEADER, ...lines].join("\n")}\n`);
  const steps = [...new FileSearcher(PLAN).search(path)];
  const first = steps.findIndex(({ hits }) => hits.length > 0);
  expect(first).toBeGreaterThan(4);
  expect(Math.max(...steps.map(({ hits }) => hits.length))).toBeLessThan(50);
  expect(found(steps)).toHaveLength(400);
  expect(steps.map(({ done }) => done)).toEqual(steps.map(({ done }) => done).toSorted((a, b) => a - b));
});
