import { describe, expect, test } from "vitest";
import { asciiAt, eitherAt, optionsAt, screen } from "../drawn-text.test-support.js";
import { layoutStats, type SessionStats, type Totals } from "./layout-stats.js";

const usage = {
  input: 12_000,
  output: 3_400,
  cacheRead: 410_000,
  cacheWrite: 0,
  tokens: 0,
  dollars: 0.42,
  unpriced: 0,
};
const PATH: Totals = {
  entries: 214,
  userMessages: 34,
  answers: 60,
  toolCalls: 88,
  errors: 2,
  compactions: 1,
  usage,
};
const STATS: SessionStats = {
  sessionId: "01a0",
  file: "/home/ada/.bough/sessions/parser/01a0.jsonl",
  name: "parser session",
  branches: 9,
  path: PATH,
  session: { ...PATH, entries: 4_812, usage: { ...usage, dollars: 1.1, unpriced: 3 } },
  context: { tokens: 61_000, counted: 58_000 },
};

describe("the sheet about a session", () => {
  test("a path that does not fit continues below, complete", () => {
    const file = `/home/ada/${"deep/".repeat(20)}01a0.jsonl`;
    const options = optionsAt(60);
    const { lines } = layoutStats({ ...STATS, file }, { top: 0 }, options);
    const rows = screen(lines, options)
      .split("\n")
      .map((line) => line.trim());
    const first = rows.findIndex((line) => line.startsWith("file"));
    const branches = rows.findIndex((line) => line.startsWith("branches"));
    const shown = rows.slice(first, branches).join("");
    expect(shown.replace(/^file\s*/, "")).toBe(file);
  });

  test("at 80 columns", () => {
    const options = optionsAt(80);
    const drawn = layoutStats(STATS, { top: 0, model: "acme/m-1", window: 200_000 }, options);
    expect(screen(drawn.lines, options)).toMatchInlineSnapshot(`
      "
       Session · parser session
       ───────────────────────────────────────────────────────────────────────────────
       id        01a0
       file      /home/ada/.bough/sessions/parser/01a0.jsonl
       branches  9
       model     acme/m-1
       context   ≈61k of 200k tokens (31%), 58k reported by the provider

                            this path    all branches
       entries                    214           4,812
       prompts                     34              34
       answers                     60              60
       tool calls                  88              88
       errors                       2               2
       compactions                  1               1
       tokens in                  12k             12k
       tokens out                3.4k            3.4k
       cache read                410k            410k
       cache written                0               0
       cost                     $0.42          $1.10+
       3 calls without a known price
      "
    `);
  });

  test("at 40 columns in ASCII, without a file, a name or a model", () => {
    const options = asciiAt(40);
    const stats = { ...STATS, name: undefined, file: undefined, context: { tokens: 400, counted: 0 } };
    expect(screen(layoutStats(stats, { top: 0 }, options).lines, options)).toMatchInlineSnapshot(`
      "
       Session
       ---------------------------------------
       id        01a0
       file      none (in memory only)
       branches  9
       context   ~400 tokens, estimated

                        this path         all
       entries                214       4,812
       prompts                 34          34
       answers                 60          60
       tool calls              88          88
       errors                   2           2
       compactions              1           1
       tokens in              12k         12k
       tokens out            3.4k        3.4k
       cache read            410k        410k
       cache written            0           0
       cost                 $0.42      $1.10+
       3 calls without a known price
      "
    `);
  });

  test("scrolls to its end and no further", () => {
    const options = optionsAt(120, 8);
    const { lines, top } = layoutStats(STATS, { top: 99 }, options);
    expect([lines.length, top]).toEqual([8, 12]);
    expect(screen(lines, options)).toContain("3 calls without a known price");
  });

  test("is never wider or higher than asked", () => {
    for (let width = 1; width < 60; width++) {
      for (let height = 1; height < 30; height += 4) {
        const options = eitherAt(width, height);
        screen(layoutStats({ ...STATS, name: "界".repeat(40) }, { top: 3 }, options).lines, options);
      }
    }
  });
});
