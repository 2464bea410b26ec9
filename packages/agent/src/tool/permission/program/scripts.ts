/** Small programs among the words of `sed`, `awk` and `printf`, as far as they only print. */
import type { ShellWord } from "../shell/shell-line.js";
import type { ReadOptions } from "./option-table.js";

const ADDRESS = String.raw`(?:\d+|\$|/[^/\\\n]*(?:\\[^\n][^/\\\n]*)*/I?)`;
const PRINTS = new RegExp(`^(?:${ADDRESS}(?:,(?:\\+?\\d+|${ADDRESS}))?)?!? ?[pdq=]$`);
const FLAGS = /^[gpIi\d]*$/;

/** Scripts of sed can run commands and write files: printing, deleting and replacing is known. */
export function isPlainSed({ operands, values }: ReadOptions, words: readonly ShellWord[]): boolean {
  const scripts = values.filter(([name]) => name === "e" || name === "expression");
  if (scripts.length > 0) return scripts.every(([, { literal, text }]) => literal && isPlainScript(text));
  const [script] = operands;
  if (script === undefined) return true;
  // On macOS the suffix of `-i` is a word of its own: the script is the second one.
  if (script.text !== "" && process.platform === "darwin" && words.some(({ text }) => text === "-i")) return false;
  const [program] = script.text === "" ? operands.slice(1) : operands;
  return program?.literal === true && isPlainScript(program.text);
}

function isPlainScript(script: string): boolean {
  if (/[\n\r]/.test(script)) return false;
  if (script.split(/; ?/).every((part) => PRINTS.test(part))) return true;
  return isReplacement(script);
}

/** `s/a/b/g`, with any sign between its parts. It appears three times, so that there is only one way to read it. */
function isReplacement(script: string): boolean {
  const [, sign = ""] = /^s([^\w\s\\])/.exec(script) ?? [];
  if (sign === "") return false;
  let ends = 0;
  let flags = 0;
  for (let at = 2; at < script.length; at++) {
    if (script[at] === "\\") at++;
    else if (script[at] === sign) {
      ends++;
      flags = at + 1;
    }
  }
  return ends === 2 && FLAGS.test(script.slice(flags));
}

/** No files, pipes, commands or other sources. With `print`, `>` may be a file; otherwise it compares. */
export function isPlainAwk({ operands: [program, ...files] }: ReadOptions): boolean {
  if (program === undefined) return true;
  if (!program.literal || files.some(({ text }) => text.startsWith("-") || text.includes("="))) return false;
  const { text } = program;
  if (/system|getline|close|fflush|extension|load|include|ARG|[|@`]/.test(text)) return false;
  return !(text.includes(">") && text.includes("print"));
}

/** `%n` assigns, and `%(...)T` and `*` take more than they say. */
export function isPlainFormat(format: ShellWord | undefined): boolean {
  if (format === undefined) return true;
  return format.literal && /^(?:[^%]|%[-+ #0]*\d*(?:\.\d*)?[sdiouxXcbqeEfFgG%])*$/.test(format.text);
}
