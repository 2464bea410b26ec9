import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { tempFolder } from "../../../../test/support/temp-folder.js";
import type { PermissionAnswer } from "../../tool.js";
import { askedRequest } from "../asked-request.js";
import { createPermissions } from "../permissions.js";
import { applyRules } from "./apply-rules.js";
import { ALLOWED, CORPUS_RULES } from "./corpus.test-support.js";
import { ASKED as ASKED_LINES, DENIED } from "./corpus-attacks.test-support.js";
import { ASKED_OPTIONS } from "./corpus-options.test-support.js";
import { ASKED_HUGE, ASKED_TRICKS } from "./corpus-tricks.test-support.js";
import { parseRule, RULE_EFFECTS } from "./rule.js";

const RULES = RULE_EFFECTS.flatMap((effect) =>
  CORPUS_RULES[effect].map((text) => parseRule(text, { effect, source: { kind: "user" } })),
);
const ASKED = [...ASKED_LINES, ...ASKED_OPTIONS, ...ASKED_TRICKS];
const ALLOWING = RULES.filter(({ effect }) => effect === "allow");
const cwd = realpathSync(tempFolder());
mkdirSync(join(cwd, "packages/core"), { recursive: true });

/** What the rules say: "allow" with the rules, "deny" with the rule, or "ask". */
async function answerTo(target: string, rules = RULES): Promise<readonly string[]> {
  const asked = await askedRequest({ tool: "bash", action: "run", target }, cwd);
  const answer = applyRules(rules, asked.facts, asked.patterns);
  if (answer.effect === "allow") return ["allow", ...answer.rules.map(({ text }) => text)];
  return answer.effect === "deny" ? ["deny", answer.rule.text] : ["ask"];
}

/** What becomes of a call, with a person who says no. */
async function outcomeOf(target: string): Promise<string> {
  let asked = 0;
  const ask = async (): Promise<PermissionAnswer> => {
    asked++;
    return "no";
  };
  const { allowed } = await createPermissions({ mode: "ask", cwd, rules: RULES, ask }).permit({
    ...{ tool: "bash", action: "run" },
    target,
  });
  return allowed ? "allow" : asked > 0 ? "ask" : "deny";
}

describe("the corpus of command lines", () => {
  test("every rule in it can be parsed, and there are at least 300 lines, none of them twice", () => {
    expect(RULES.filter(({ target }) => target.kind === "broken")).toEqual([]);
    const lines = [...ALLOWED.map(([line]) => line), ...ASKED, ...DENIED.map(([line]) => line)];
    expect(lines.filter((line, at) => lines.indexOf(line) !== at)).toEqual([]);
    expect(lines.length).toBeGreaterThanOrEqual(300);
  });

  test.each(ALLOWED)("allowed: %j", async (line, ...rules) => {
    const answer = await answerTo(line);
    expect([answer[0], [...answer.slice(1)].sort()]).toEqual(["allow", [...rules].sort()]);
  });

  test.each(ASKED.map((line) => [line]))("asked: %j", async (line) => {
    expect(await answerTo(line)).toEqual(["ask"]);
  });

  test("asked: lines that are very long or deep", async () => {
    for (const line of ASKED_HUGE)
      expect([line.slice(0, 30), await answerTo(line)]).toEqual([line.slice(0, 30), ["ask"]]);
  });

  test.each(DENIED)("denied: %j", async (line, rule) => {
    expect(await answerTo(line)).toEqual(["deny", rule]);
  });

  test("no line of the attacks is allowed if there are only rules that allow", async () => {
    const allowed: string[] = [];
    for (const line of [...ASKED, ...DENIED.map(([denied]) => denied)]) {
      // Rules against something are about these files alone.
      if (/src\/(secret|generated|x\/\.\.\/secret|SECRET)\/|< \.env/.test(line)) continue;
      if ((await answerTo(line, ALLOWING))[0] === "allow") allowed.push(line);
    }
    expect(allowed).toEqual([]);
  });

  test("permissions give the same answers", async () => {
    const wrong: string[] = [];
    const check = async (line: string, expected: string): Promise<void> => {
      const outcome = await outcomeOf(line);
      if (outcome !== expected) wrong.push(`${JSON.stringify(line)} is ${outcome}, not ${expected}`);
    };
    for (const [line] of ALLOWED) await check(line, "allow");
    for (const line of ASKED) await check(line, "ask");
    for (const [line] of DENIED) await check(line, "deny");
    expect(wrong).toEqual([]);
  });
});

describe("harmful and harmless commands together", () => {
  const harmless = fc.constantFrom(
    ...ALLOWED.map(([line]) => line).filter((line) => !line.includes("#") && !line.includes("<<")),
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
  /** Ways to put a command into another one. */
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
        expect((await answerTo(all))[0]).not.toBe("allow");
        expect((await answerTo(all, ALLOWING))[0]).not.toBe("allow");
      }),
      { numRuns: 600 },
    );
  });

  test("any text at all gets an answer, and none that is allowed has a command without a rule", async () => {
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
        const [answer] = await answerTo(line);
        // Where a command starts: `make` in `ls make` is an argument.
        const command = /(?:^|[\n;&|(`]|[!{]\s|\bdo\s)[ \t]*(?:make|rm)(?=[\s;&|)`]|$)(?![^']*')/;
        if (answer === "allow") expect(line).not.toMatch(command);
      }),
      { numRuns: 1500 },
    );
  });
});
