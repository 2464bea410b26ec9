/** How many tests passed and failed, from the output of runners that are known. */
import type { TestCounts } from "./attempt-entries.js";

type Reader = (text: string) => TestCounts | undefined;

/** All numbers of a kind, added up; undefined if the pattern matches nowhere. */
function sum(text: string, pattern: RegExp): number | undefined {
  const found = [...text.matchAll(pattern)];
  return found.length === 0 ? undefined : found.reduce((all, match) => all + Number(match[1]), 0);
}

function counts(passed: number | undefined, failed: number | undefined): TestCounts | undefined {
  return passed === undefined && failed === undefined ? undefined : { passed: passed ?? 0, failed: failed ?? 0 };
}

/** From a total and what failed of it. */
function ofTotal(total: number | undefined, ...failed: readonly (number | undefined)[]): TestCounts | undefined {
  if (total === undefined) return undefined;
  const bad = failed.reduce((all: number, one) => all + (one ?? 0), 0);
  return { passed: Math.max(0, total - bad), failed: bad };
}

const READERS: readonly Reader[] = [
  // vitest: `Tests  1 failed | 3 passed (4)`; jest: `Tests:       1 failed, 3 passed, 4 total`
  (text) => {
    const line = /^[ \t]*Tests:?[ \t]+((?:\d+ [a-z]+(?: \| |, )?)+)/m.exec(text)?.[1];
    return line === undefined ? undefined : counts(sum(line, /(\d+) passed/g), sum(line, /(\d+) failed/g));
  },
  // node --test: `# pass 3` or `ℹ pass 3`
  (text) => counts(sum(text, /^[#ℹ] pass (\d+)$/gm), sum(text, /^[#ℹ] fail (\d+)$/gm)),
  // cargo: a line for each binary
  (text) =>
    counts(
      sum(text, /^test result: \w+\. (\d+) passed/gm),
      sum(text, /^test result: \w+\. \d+ passed; (\d+) failed/gm),
    ),
  // pytest: `=== 1 failed, 3 passed in 0.12s ===`
  (text) => {
    const line = /^=* ?((?:\d+ [a-z]+,? ?)+) in [\d.]+s/m.exec(text)?.[1];
    if (line === undefined) return undefined;
    return counts(sum(line, /(\d+) passed/g), sum(line, /(\d+) (?:failed|errors?)\b/g));
  },
  // mocha: `3 passing (5ms)`
  (text) => counts(sum(text, /^[ \t]*(\d+) passing\b/gm), sum(text, /^[ \t]*(\d+) failing\b/gm)),
  // rspec: `4 examples, 1 failure`; ExUnit: `4 tests, 1 failure`
  (text) =>
    ofTotal(
      sum(text, /^(\d+) (?:examples?|tests?), \d+ failures?/gm),
      sum(text, /^\d+ (?:examples?|tests?), (\d+) failures?/gm),
    ),
  // Maven: the last line is the sum
  (text) => {
    const last = [...text.matchAll(/Tests run: (\d+), Failures: (\d+), Errors: (\d+)/g)].at(-1);
    return last && ofTotal(Number(last[1]), Number(last[2]), Number(last[3]));
  },
  // unittest: `Ran 4 tests in 0.1s` and `FAILED (failures=1, errors=1)`
  (text) => {
    const total = sum(text, /^Ran (\d+) tests? in /gm);
    return ofTotal(total, sum(text, /\bfailures=(\d+)/g), sum(text, /\berrors=(\d+)/g));
  },
  // PHPUnit: `OK (4 tests, 9 assertions)` or `Tests: 4, Assertions: 9, Failures: 1.`
  (text) => {
    const all = sum(text, /^OK \((\d+) tests?,/gm) ?? sum(text, /^Tests: (\d+), Assertions:/gm);
    return ofTotal(all, sum(text, /\bFailures: (\d+)/g), sum(text, /\bErrors: (\d+)/g));
  },
  // go test -v
  (text) => counts(lines(text, /^\s*--- PASS: /gm), lines(text, /^\s*--- FAIL: /gm)),
  // bun: ` 3 pass` and ` 1 fail`; deno: `ok | 3 passed | 1 failed`
  (text) => counts(sum(text, /^ *(\d+) pass$/gm), sum(text, /^ *(\d+) fail$/gm)),
  (text) =>
    counts(
      sum(text, /^(?:ok|FAILED) \| (\d+) passed/gm),
      sum(text, /^(?:ok|FAILED) \| \d+ passed.*?\| (\d+) failed/gm),
    ),
];

function lines(text: string, pattern: RegExp): number | undefined {
  const found = text.match(pattern)?.length ?? 0;
  return found === 0 ? undefined : found;
}

/** Undefined if no known runner printed this. The text has no colors. */
export function testCounts(text: string): TestCounts | undefined {
  for (const read of READERS) {
    const found = read(text);
    if (found !== undefined) return found;
  }
  return undefined;
}
