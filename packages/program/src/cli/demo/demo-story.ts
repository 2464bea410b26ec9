/** The conversation of the demo session: a small CSV parser, tried in five ways. Data only. */
import { type DemoTurn, edit, fails, list, read, run, search, write } from "./demo-turn.js";

export const STORY_NAME = "parser session";

/** Before the first fork. */
export const BEGINNING: readonly DemoTurn[] = [
  {
    prompt: "What is in this folder?",
    tools: [list(".", "README.md\npackage.json\nsrc/\ntest/")],
    answer:
      "A small command-line project: `src/` holds the program, `test/` its tests, and the README says it adds up expenses from CSV files.",
  },
  {
    prompt: "Read the README and tell me what the tool promises",
    tools: [
      read(
        "README.md",
        "# tally\n\nAdds up expenses from CSV files, by month and by kind.\n\n    tally expenses.csv\n",
      ),
    ],
    answer:
      "One promise: `tally expenses.csv` prints sums **by month** and **by kind**. It does not say which CSV dialects it understands.",
  },
  {
    prompt: "How are lines split at the moment?",
    tools: [
      search("split", "src/read.ts:14:  return text.split('\\n').map((line) => line.split(','));"),
      read(
        "src/read.ts",
        "export function readRows(text: string): string[][] {\n  return text.split('\\n').map((line) => line.split(','));\n}",
      ),
    ],
    answer:
      "With `split(',')`. That breaks on quoted fields:\n\n```ts\nreadRows('a,\"b,c\"') // [['a', '\"b', 'c\"']]\n```",
  },
  {
    prompt: "Write a test that shows the problem",
    tools: [
      write(
        "test/quotes.test.ts",
        "import { readRows } from '../src/read.js';\n\ntest('keeps a comma inside quotes', () => {\n  expect(readRows('a,\"b,c\"')).toEqual([['a', 'b,c']]);\n});",
      ),
      fails(
        "npm test",
        "1 failed, 11 passed\n  keeps a comma inside quotes\n    expected [['a','b,c']], got [['a','\"b','c\"']]",
      ),
    ],
    answer: "The new test fails as expected: 1 failed, 11 passed.",
    pause: 12,
  },
  {
    prompt: "What would a proper tokenizer need to handle?",
    thinking:
      "RFC 4180 is the common ground. Quotes, doubled quotes, line ends inside quotes, CRLF, a missing last newline, an empty file.",
    answer:
      "Six things:\n\n1. commas inside quotes\n2. doubled quotes\n3. newlines inside quotes\n4. CRLF\n5. no newline at the end\n6. an empty file",
  },
  {
    prompt: "Generate a tokenizer from a grammar and wire it into the command line",
    tools: [
      write("grammar.peg", "file  = row (eol row)* eol?\nrow   = field (',' field)*\nfield = quoted / plain"),
      run("npx peggy grammar.peg -o src/lex.ts", "wrote src/lex.ts"),
      edit("src/read.ts", [
        " import { parse } from './lex.js';",
        "-  return text.split('\\n').map((line) => line.split(','));",
        "+  return parse(text);",
        " }",
      ]),
      run("npm test", "12 passed"),
    ],
    answer: "Wired in. All 12 tests pass, at the price of 41 KB of generated code.",
    label: "tokenizer",
    pause: 9,
  },
];

/** #2: splits off early, written after #1 continued. */
export const LEXER: readonly DemoTurn[] = [
  {
    prompt: "Try a hand-written lexer instead",
    tools: [write("src/lex.ts", "export function* tokens(text: string) {\n  // one state for each kind of field\n}")],
    answer: "I start with one state for each kind of field.",
  },
  {
    prompt: "Start from a table of states",
    tools: [
      write("src/table.ts", "export const TABLE = [\n  // plain, quoted, after a quote\n];"),
      fails("npm test", "2 failed, 10 passed\n  newline inside quotes\n  doubled quotes"),
    ],
    answer: "The table is short, but two tests fail: the state after a quote needs to look ahead.",
  },
  {
    prompt: "Drop the table, use a switch",
    tools: [
      edit("src/lex.ts", [
        " export function* tokens(text: string) {",
        "-  // one state for each kind of field",
        "+  switch (state) {",
        "+    case 'plain': break;",
        "+    case 'quoted': break;",
        "+  }",
        " }",
      ]),
      run("npm test", "12 passed"),
    ],
    answer: "With a `switch` it is 64 lines and all 12 tests pass.",
    label: "lexer",
  },
  {
    prompt: "Benchmark both",
    tools: [run("node bench.js", "generated  212 ms\nswitch      68 ms")],
    answer:
      "| tokenizer | 50 MB |\n|---|---|\n| generated | 212 ms |\n| switch | 68 ms |\n\nThe switch is **three times faster**.",
  },
  {
    prompt: "What is still open with it?",
    answer: "Two cases: a lone quote in the middle of a field, and CRLF inside quotes becomes LF.",
    pause: 25,
  },
];

export const LEXER_SUMMARY = `## Goal
Replace the generated tokenizer by one written by hand.

## Progress
### Done
- A lexer with a switch in src/lex.ts: 64 lines, all 12 tests pass
### Blocked
- A lone quote in a field, and CRLF inside quotes

## Key Decisions
- **Switch over table**: the table could not look ahead after a quote
- Three times faster than the generated one (68 ms against 212 ms for 50 MB)

## Next Steps
1. Decide whether speed is worth the two open cases`;

/** #1 continues. */
export const KEPT: readonly DemoTurn[] = [
  {
    prompt: "Keep the generated one, and add tests for the six cases",
    tools: [
      write("test/lex.test.ts", "// six cases, three tests each"),
      run("npm test", "28 passed, 2 failed\n  a lone quote\n  CRLF inside quotes"),
    ],
    answer: "18 new tests. Two fail: a lone quote, and CRLF inside quotes.",
  },
  {
    prompt: "Fix the failing edge cases: empty input, a lone quote, CRLF inside strings",
    thinking:
      "The grammar treats a quote in a plain field as an error. RFC 4180 forbids it, but spreadsheets write it.",
    tools: [
      edit("grammar.peg", [
        " field = quoted / plain",
        '-plain = [^,"\\n]*',
        "+plain = [^,\\r\\n]*",
        " quoted = '\"' inner '\"'",
      ]),
      run("npx peggy grammar.peg -o src/lex.ts", "wrote src/lex.ts"),
      run("npm test", "30 passed"),
    ],
    answer: "A quote inside a plain field is now a plain character, as spreadsheets write it. All 30 tests pass.",
    label: "good",
    pause: 18,
  },
];

/** #3: rewrites the errors, and is stopped. Splits off after the edge cases. */
export const ERRORS: readonly DemoTurn[] = [
  {
    prompt: "Rewrite the error type so that it names line and column",
    tools: [
      edit("src/errors.ts", [
        "-export class ParseError extends Error {}",
        "+export class ParseError extends Error {",
        "+  constructor(readonly line: number, readonly column: number) {}",
        "+}",
      ]),
      fails("npm test", "9 failed, 21 passed"),
    ],
    answer: "Nine tests compare messages and fail now.",
  },
  {
    prompt: "Update those tests",
    tools: [fails("npm test", "4 failed, 26 passed")],
    answer: "I am changing the expectations one after the other",
    stopped: true,
    pause: 6,
  },
];

/** #1 continues to its compaction. */
export const SUMS: readonly DemoTurn[] = [
  {
    prompt: "Now sum by month",
    tools: [
      read("src/sum.ts", "export function byKind(rows: Row[]) { /* ... */ }"),
      edit("src/sum.ts", [
        " export function byKind(rows: Row[]) { /* ... */ }",
        "+export function byMonth(rows: Row[]) { /* ... */ }",
      ]),
      run("npm test", "33 passed"),
    ],
    answer: "`byMonth` is there, with three tests.",
  },
  {
    prompt: "Dates come as 2026-03-01 and as 1.3.2026",
    tools: [
      edit("src/dates.ts", [
        "+export function readDate(text: string): Date | undefined {",
        "+  return isoDate(text) ?? dottedDate(text);",
        "+}",
      ]),
      run("npm test", "38 passed"),
    ],
    answer: "Both are read. Anything else is reported with its line, not guessed.",
  },
  {
    prompt: "And amounts with a comma, 12,50?",
    answer:
      "Only where the separator is a semicolon: then the comma cannot be a separator. I would make that a rule of the dialect, not of the amount.",
  },
  {
    prompt: "Agreed. Detect the dialect from the first line",
    tools: [
      write(
        "src/dialect.ts",
        "export function dialectOf(line: string): Dialect { /* counts ; , and tabs outside quotes */ }",
      ),
      run("npm test", "44 passed"),
    ],
    answer: "`dialectOf` counts separators outside quotes in the first line. 44 tests pass.",
    pause: 30,
  },
];

export const COMPACTION_SUMMARY = `## Goal
tally reads CSV files of several dialects and sums expenses by month and by kind.

## Progress
### Done
- Tokenizer generated from grammar.peg, wired into src/read.ts
- Edge cases: empty input, a lone quote, CRLF inside quotes
- Sums by month, two date formats, dialect from the first line; 44 tests pass

## Key Decisions
- **Generated tokenizer kept**; a hand-written one was three times faster but left two cases open
- Dates that are not understood are reported, never guessed

## Next Steps
1. Output for spreadsheets
2. Large files`;

/** After the compaction. */
export const OUTPUT: readonly DemoTurn[] = [
  {
    prompt: "Print the sums as a table",
    tools: [
      write("src/table-output.ts", "export function table(sums: Sums): string { /* right-aligned numbers */ }"),
      run(
        "node dist/tally.js expenses.csv",
        "month      rent    food   total\n2026-01  900.00  312.40  1212.40\n2026-02  900.00  288.15  1188.15",
      ),
    ],
    answer:
      "The numbers now line up in columns:\n\n```\nmonth      rent    food   total\n2026-01  900.00  312.40  1212.40\n```",
  },
  {
    prompt: "Try it with a file of 2 GB",
    tools: [fails("node dist/tally.js big.csv", "RangeError: Invalid string length")],
    answer: "It fails: the whole file is read into one string, and a string cannot be that long.",
    label: "too big",
    pause: 4,
  },
];

/** #4: reads in chunks; the idea worth merging. Splits off after "Try it with a file of 2 GB". */
export const PIECES: readonly DemoTurn[] = [
  {
    prompt: "Read the file in pieces, with the hand-written lexer",
    tools: [
      read("src/read.ts", "export function readRows(text: string) { return parse(text); }"),
      edit("src/read.ts", [
        "-export function readRows(text: string) { return parse(text); }",
        "+export async function* readRows(chunks: AsyncIterable<string>) { yield* rowsOf(chunks); }",
      ]),
      run("node dist/tally.js big.csv", "2.0 GB in 9.8 s, 61 MB of memory"),
    ],
    answer:
      "2 GB in 9.8 s with 61 MB of memory: the hand-written lexer can stop in the middle of a field, a generated one cannot.",
    label: "pieces",
  },
  {
    prompt: "Do all the tests pass with it?",
    tools: [run("npm test", "44 passed")],
    answer: "All 44. The two open cases of the earlier attempt are covered by the tests for edge cases, and pass.",
    pause: 7,
  },
];

/** #5: another approach to the same problem; splits off where #4 does. */
export const DATABASE: readonly DemoTurn[] = [
  {
    prompt: "Would loading it into SQLite be simpler?",
    tools: [run("sqlite3 :memory: '.import big.csv rows' 'select count(*) from rows'", "41233871")],
    answer: "Simpler to write, but every user would need SQLite, and the import takes 40 s.",
    pause: 5,
  },
];

/** The end of #1. */
export const ENDING: readonly DemoTurn[] = [
  {
    prompt: "For now, refuse files over 500 MB with a clear message",
    tools: [
      edit("src/tally.ts", [
        "+if (size > 500_000_000) {",
        "+  fail(file + ' has ' + size + ' bytes; tally reads up to 500 MB');",
        "+}",
      ]),
      run("npm test", "45 passed"),
    ],
    answer: "Files over 500 MB are refused, with their size in the message. 45 tests pass.",
  },
  {
    prompt: "Write that down in the README",
    tools: [
      edit("README.md", [
        " Adds up expenses from CSV files, by month and by kind.",
        "+",
        "+Files up to 500 MB. Dates as 2026-03-01 or 1.3.2026.",
      ]),
    ],
    answer:
      "The README now says which files and dates are understood.\n\nThe limit is not pretty. Branch `pieces` reads 2 GB; compare it with this one, and bring it home if you like it.",
  },
];
