import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { StatusLine } from "./status-line.js";

let written: string[];
let time: number;

beforeEach(() => {
  written = [];
  time = 0;
  vi.spyOn(performance, "now").mockImplementation(() => time);
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  Reflect.deleteProperty(process.stderr, "isTTY");
  Reflect.deleteProperty(process.stderr, "columns");
});

function terminal(columns: number): void {
  Object.defineProperty(process.stderr, "isTTY", { value: true, configurable: true });
  Object.defineProperty(process.stderr, "columns", { value: columns, configurable: true });
}

test("a line is overwritten, cut to the terminal, without control characters, and erased once", () => {
  terminal(20);
  const line = new StatusLine();
  line.say("\x1b]0;owned\x07Reading a long\ntranscript");
  line.clear();
  line.clear();
  expect(written).toEqual([expect.stringMatching(/^\r\x1b\[K[^\x00-\x1f]{1,19}$/), "\r\x1b[K"]);
});

test("quick work is not shown, and slow work not at every update", () => {
  terminal(80);
  const line = new StatusLine();
  for (time of [0, 100, 200, 300, 399, 400]) line.tell(() => `at ${time}`);
  expect(written).toEqual(["\r\x1b[Kat 200", "\r\x1b[Kat 400"]);
});

test("nothing is written without a terminal", () => {
  const line = new StatusLine();
  line.say("Reading");
  time = 1000;
  line.tell(() => "Reading");
  line.clear();
  expect(written).toEqual([]);
});
