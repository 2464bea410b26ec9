import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PermissionAnswer } from "../../tool.js";
import { createPermissions } from "../permissions.js";
import { answerTo, corpusPlace, parsedRules } from "./corpus-place.test-support.js";
import { holds, rowsOf } from "./corpus-table.test-support.js";
import { CORPUS } from "./corpus-tables.test-support.js";
import { ALLOWED, CORPUS_RULES } from "./ordinary-lines.test-support.js";
import { ASKED_HUGE } from "./trick-lines.test-support.js";

const RULES = parsedRules(CORPUS_RULES);
const ALLOWING = RULES.filter(({ effect }) => effect === "allow");

describe("the corpus of command lines", () => {
  test("every rule in it can be parsed, and there are at least 800 lines, none of them twice in a table", () => {
    const broken = CORPUS.flatMap(({ rules }) => parsedRules(rules).filter(({ target }) => target.kind === "broken"));
    expect(broken).toEqual([]);
    const lines = rowsOf(CORPUS).map(({ about, line }) => `${about}: ${line}`);
    expect(lines.filter((line, at) => lines.indexOf(line) !== at)).toEqual([]);
    expect(lines.length).toBeGreaterThanOrEqual(800);
  });

  test.each(CORPUS.map((table) => [table.about, table] as const))("%s: each line has its answer", async (_, table) => {
    const cwd = corpusPlace();
    const rules = parsedRules(table.rules);
    const wrong: string[] = [];
    for (const { line, answer } of rowsOf([table])) {
      const got = await answerTo(line, { rules, cwd, mode: table.mode ?? "ask" });
      if (!holds(answer, got)) wrong.push(`${line} is ${got}, not ${answer}`);
    }
    expect(wrong).toEqual([]);
  });

  test("asked: lines that are very long or deep", async () => {
    const cwd = corpusPlace();
    for (const line of ASKED_HUGE) {
      const answer = await answerTo(line, { rules: RULES, cwd });
      expect([line.slice(0, 30), answer]).toEqual([line.slice(0, 30), "ask"]);
    }
  });

  test("permissions give the same answers, and ask exactly then", async () => {
    const cwd = corpusPlace();
    const different: string[] = [];
    for (const table of CORPUS) {
      const rules = parsedRules(table.rules);
      const { mode = "ask" } = table;
      for (const { line } of rowsOf([table])) {
        let asked = 0;
        const ask = async (): Promise<PermissionAnswer> => {
          asked++;
          return "no";
        };
        const permissions = createPermissions({ mode, cwd, rules, ask });
        const { allowed } = await permissions.permit({ tool: "bash", action: "run", target: line });
        const outcome = allowed ? "allow" : asked > 0 ? "ask" : "deny";
        const answer = await answerTo(line, { rules, cwd, mode });
        if (outcome !== answer) different.push(`${line} is ${outcome}, not ${answer}`);
      }
    }
    expect(different).toEqual([]);
  });
});

describe("harmful and harmless commands together", () => {
  const harmless = fc.constantFrom(
    ...(ALLOWED.allow ?? []).filter((line) => !line.includes("#") && !line.includes("<<")),
  );
  const harmful = fc.constantFrom(
    "rm -rf x",
    "make",
    "curl a | sh",
    "$x",
    "PATH=. ls",
    "ls > b",
    "git -c a=b log",
    "find . -delete",
  );
  const joined = fc.constantFrom(" ; ", " && ", " || ", " | ", "\n", " & ", ";", "&&");
  /** Ways to embed a command in another one. */
  const around = fc.constantFrom(
    (line: string) => line,
    (line: string) => `(${line})`,
    (line: string) => `{ ${line}\n}`,
    (line: string) => `ls $(${line}\n)`,
    (line: string) => `ls "$(${line}\n)"`,
    (line: string) => `cat <<EOF\n$(${line}\n)\nEOF`,
    (line: string) => `if ${line}\nthen ls; fi`,
    (line: string) => `for f in a b; do ${line}\ndone`,
    (line: string) => `cat <(${line}\n)`,
    (line: string) => `f() { ${line}\n}`,
    (line: string) => (line.includes("'") ? line : `sh -c '${line}'`),
    (line: string) => (line.includes("'") ? line : `eval '${line}'`),
    (line: string) => `case a in a) ${line}\n;; esac`,
  );

  test("are never allowed, however they are combined", async () => {
    const cwd = corpusPlace();
    const parts = fc.tuple(
      fc.array(fc.tuple(harmless, joined), { maxLength: 4 }),
      harmful,
      fc.array(fc.tuple(joined, harmless), { maxLength: 4 }),
    );
    await fc.assert(
      fc.asyncProperty(parts, fc.array(around, { maxLength: 3 }), async ([before, bad, after], wraps) => {
        const inner = wraps.slice(0, 1).reduce<string>((line, wrap) => wrap(line), bad);
        const line = [...before.flat(), inner, ...after.flat()].join("");
        const all = wraps.slice(1).reduce<string>((text, wrap) => wrap(text), line);
        expect(await answerTo(all, { rules: RULES, cwd })).not.toBe("allow");
        expect(await answerTo(all, { rules: ALLOWING, cwd })).not.toBe("allow");
      }),
      { numRuns: 600 },
    );
  });

  test("any text at all gets an answer, and none that is allowed has a command without a rule", async () => {
    const cwd = corpusPlace();
    const piece = fc.constantFrom(
      ..."rm;&|()<>$`'\"\\{}#\n =*~![]".split(""),
      "ls",
      "make ",
      "$(",
      "<<EOF\n",
      "EOF\n",
      "do ",
      "done",
      " ",
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 14 }), async (pieces) => {
        const line = pieces.join("");
        const answer = await answerTo(line, { rules: RULES, cwd });
        // Only where a command starts: in `ls make`, `make` is an argument.
        const command = /(?:^|[\n;&|(`]|[!{]\s|\bdo\s)[ \t]*(?:make|rm)(?=[\s;&|)`]|$)(?![^']*')/;
        if (answer === "allow") expect(line).not.toMatch(command);
      }),
      { numRuns: 1500 },
    );
  });
});
