/**
 * Which lines a run takes, and which stop it. The index as a whole is compared with the careful one in its own test.
 */
import { expect, test } from "vitest";
import { inOneGo } from "../../log/index.js";
import { EntryNumbers } from "./entry-numbers.js";
import { createByteFinder } from "./match/find-bytes.js";
import { idKey, type MessageRun, type MessageRuns } from "./message-runs.js";
import { line } from "./search.test-support.js";

const finder = createByteFinder(1 << 16);

function runsOver(lines: readonly string[]): { readonly runs: MessageRuns; readonly end: number } {
  const end = finder.window.write(`${lines.join("\n")}\n`);
  if (finder.runs === undefined) throw new Error("This runtime has no vector instructions");
  return { runs: finder.runs, end };
}

function take(lines: readonly string[], parent: string): { readonly count: number; readonly run: MessageRun } {
  const { runs, end } = runsOver(lines);
  expect(runs.follow(parent)).toBe(true);
  const run = runs.take(0, end, 0);
  return { count: run.starts.length, run };
}

/** A message longer than the shortest line that a run takes. */
function message(id: string, parentId: string): string {
  return line(id, parentId, "a text that makes the line long enough");
}

test.each([8, 12, 16])("messages in a row are taken with their places and keys: ids of %i characters", (length) => {
  const ids = Array.from({ length: 20 }, (_, n) => n.toString(16).padStart(length, "a"));
  const lines = ids.map((id, n) => message(id, n === 0 ? "r".repeat(length) : (ids[n - 1] as string)));
  const { runs, end } = runsOver(lines);
  expect(runs.follow("r".repeat(length))).toBe(true);
  const run = runs.take(0, end, 1000);
  expect(run.end).toBe(end);
  let offset = 1000;
  const starts = lines.map((one) => {
    const at = offset;
    offset += Buffer.byteLength(one) + 1;
    return at;
  });
  expect([...run.starts]).toEqual(starts);
  expect([...run.keys]).toEqual(ids.map(idKey));
});

test("the next run continues below the last message", () => {
  const lines = [message("bbbbbbbbbbbb", "aaaaaaaaaaaa"), "", message("cccccccccccc", "bbbbbbbbbbbb")];
  const { run, count } = take(lines, "aaaaaaaaaaaa");
  expect(count).toBe(1);
  expect(finder.runs?.take(run.end + 1, runsOver(lines).end, 0).starts).toHaveLength(1);
});

const GOOD = message("bbbbbbbbbbbb", "aaaaaaaaaaaa");

test.each([
  ["another parent", message("bbbbbbbbbbbb", "aaaaaaaaaaab")],
  ["no parent", line("bbbbbbbbbbbb", null, "a text that makes the line long enough")],
  ["a longer id", message("bbbbbbbbbbbbb", "aaaaaaaaaaaa")],
  ["an entry of another type", line("bbbbbbbbbbbb", "aaaaaaaaaaaa", { type: "label", label: "x".repeat(99) })],
  ["an escape in the id", message("bbbbbbbb\\bbb", "aaaaaaaaaaaa")],
  ["a control character in the time", GOOD.replace("T00:00", "T00\u000100")],
  ["bytes beyond ASCII in the time", GOOD.replace("01.000Z", "01.00é")],
  ["another time format", GOOD.replace(".000Z", "Z")],
  ["an escape in the role", GOOD.replace('"role":"user"', '"role":"us\\u0065r"')],
  ["a role without end", GOOD.replace('"role":"user"', `"role":"${"u".repeat(40)}"`)],
  ["no brace at the end", GOOD.slice(0, -2)],
  ["a blank behind the brace", `${GOOD} `],
  ["a blank before it", ` ${GOOD}`],
])("a line is left to the caller: %s", (_what, odd) => {
  const lines = [GOOD, odd, message("dddddddddddd", "bbbbbbbbbbbb")];
  expect(take([odd, ...lines.slice(1)], "aaaaaaaaaaaa").count).toBe(0);
  expect(take(lines.slice(0, 1), "aaaaaaaaaaaa").count).toBe(1);
});

test("ids that are too short, too long or not plain are not followed", () => {
  for (const id of ["aaaaaaa", "a".repeat(17), "aaaaaaaaaaé", 'aaaaaaaa"a', "aaaa\\aaaa", "aaaaaaaa\n"]) {
    expect(finder.runs?.follow(id), id).toBe(false);
  }
});

test("there are never more numbers than a map of the runtime can hold", () => {
  const numbers = new EntryNumbers(() => true);
  const many = new Float64Array(1 << 23);
  numbers.addRun(many);
  expect(numbers.isFull).toBe(false);
  numbers.add("one-more");
  expect(numbers.isFull).toBe(true);
});

test("a number is given only for the id itself, however many are asked for", () => {
  const ids = Array.from({ length: 3000 }, (_, n) =>
    n % 10 === 3 ? `an-unusually-long-id-${n}` : `id-${n}`.padEnd(9),
  );
  const numbers = new EntryNumbers((n, id) => ids[n] === id);
  for (const id of ids) numbers.add(id);
  for (const [n, id] of ids.entries()) expect(numbers.numberOf(id)).toBe(n);
  expect(numbers.numberOf("not-there")).toBe(-1);
  expect(inOneGo(numbers.mayHaveDuplicates())).toBe(false);
  numbers.addRun(Float64Array.of(idKey("id-7".padEnd(9)) as number));
  expect(inOneGo(numbers.mayHaveDuplicates())).toBe(true);
  // Equal keys do not prove equal IDs.
  expect(new EntryNumbers(() => false).numberOf("id-1     ")).toBe(-1);
});
