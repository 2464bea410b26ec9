import type { ShellWord } from "./shell-line.js";

const UNARY = /^-[defhnrswxzL]$/;
const BINARY = new Set(["=", "!=", "==", "-eq", "-ne", "-lt", "-le", "-gt", "-ge"]);

/** `[ -f a ]` and `test a = b` in their simplest forms, which only compare. `-v` and `-R` evaluate their argument. */
export function isPlainTest(words: readonly ShellWord[]): boolean {
  const [name, ...all] = words;
  if (name?.text !== "test" && name?.text !== "[") return false;
  if (words.some(({ literal }) => !literal)) return false;
  const texts = all.map(({ text }) => text);
  if (name.text === "[" && texts.pop() !== "]") return false;
  if (texts[0] === "!") texts.shift();
  const [first = "", second = ""] = texts;
  return (
    (texts.length === 2 && UNARY.test(first)) || (texts.length === 3 && BINARY.has(second) && !first.startsWith("-"))
  );
}
