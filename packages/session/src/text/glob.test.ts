import { expect, test } from "vitest";
import { globMatcher } from "./glob.js";

function match(pattern: string, path: string): boolean {
  const matcher = globMatcher(pattern);
  if (typeof matcher === "string") throw new Error(matcher);
  return matcher(path);
}

test.each([
  ["*.ts", "a.ts", true],
  ["*.ts", "src/a.ts", false],
  ["**/*.ts", "a.ts", true],
  ["**/*.ts", "src/deep/a.ts", true],
  ["src/**/*.ts", "src/a.ts", true],
  ["src/**", "src/a/b", true],
  ["src/**", "other/a", false],
  ["**/a/**/b", "x/a/y/z/b", true],
  ["a?c", "abc", true],
  ["a?c", "a/c", false],
  ["[a-c]x", "bx", true],
  ["[!a-c]x", "bx", false],
  ["[]]x", "]x", true],
  ["[x", "[x", true],
  ["{a,b{1..3}}.md", "b2.md", true],
  ["{a,b{1..3}}.md", "b4.md", false],
  ["{a}", "{a}", true],
  ["\\*.ts", "*.ts", true],
  ["\\*.ts", "a.ts", false],
  [".*", ".hidden", true],
  ["*", ".hidden", true],
  ["a**b", "aXb", true],
  ["**/*.{ts,tsx}", "src/a.tsx", true],
  ["😀*", "😀x", true],
] as const)("%s and %s: %s", (pattern, path, expected) => {
  expect(match(pattern, path)).toBe(expected);
});

test("many stars over a long name that does not fit end at once", () => {
  expect(match(`${"a*".repeat(100)}b`, "a".repeat(5_000))).toBe(false);
  expect(match(`${"**/a/".repeat(50)}b`, "a/".repeat(1_000))).toBe(false);
});

test("an unsupported pattern is reported", () => {
  expect(globMatcher("+(a|b)")).toContain("use {a,b}");
  expect(globMatcher("{1..999999}")).toBeTypeOf("function");
  expect(globMatcher("{a,b}".repeat(20))).toContain("too many alternatives");
});
