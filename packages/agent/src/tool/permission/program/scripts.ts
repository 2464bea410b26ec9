/** Recognizes scripts of `sed`, `awk` and `printf` that only print. */
import type { ShellWord } from "../shell/shell-line.js";
import type { ReadOptions } from "./option-table.js";

const ADDRESS = String.raw`(?:\d+|\$|/[^/\\\n]*(?:\\[^\n][^/\\\n]*)*/I?)`;
const PRINTS = new RegExp(`^(?:${ADDRESS}(?:,(?:\\+?\\d+|${ADDRESS}))?)?!? ?[pdq=]$`);
const FLAGS = /^[gpIi\d]*$/;

/** sed scripts can run commands and write files: accept only printing, deleting and replacing. */
export function isPlainSed({ operands, values }: ReadOptions, words: readonly ShellWord[]): boolean {
  const scripts = values.filter(([name]) => name === "e" || name === "expression");
  if (scripts.length > 0) return scripts.every(([, { literal, text }]) => literal && isPlainScript(text));
  const [script] = operands;
  if (script === undefined) return true;
  // On macOS, `-i` takes its suffix as a separate word, so the script is the second operand.
  if (script.text !== "" && process.platform === "darwin" && words.some(({ text }) => text === "-i")) return false;
  const [program] = script.text === "" ? operands.slice(1) : operands;
  return program?.literal === true && isPlainScript(program.text);
}

function isPlainScript(script: string): boolean {
  if (/[\n\r]/.test(script)) return false;
  if (script.split(/; ?/).every((part) => PRINTS.test(part))) return true;
  return isReplacement(script);
}

/** `s/a/b/g`, with any delimiter, which must appear exactly three times to be unambiguous. */
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

/** No files, pipes, commands or includes. With `print`, `>` may write a file; otherwise it is a comparison. */
export function isPlainAwk({ operands: [program, ...files] }: ReadOptions): boolean {
  if (program === undefined) return true;
  if (!program.literal || files.some(({ text }) => text.startsWith("-") || text.includes("="))) return false;
  const { text } = program;
  if (/system|getline|close|fflush|extension|load|include|ARG|[|@`]/.test(text)) return false;
  return !(text.includes(">") && text.includes("print"));
}

/** Rejects `%n`, which assigns, and `%(...)T` and `*`, which consume more arguments. */
export function isPlainFormat(format: ShellWord | undefined): boolean {
  if (format === undefined) return true;
  return format.literal && /^(?:[^%]|%[-+ #0]*\d*(?:\.\d*)?[sdiouxXcbqeEfFgG%])*$/.test(format.text);
}
