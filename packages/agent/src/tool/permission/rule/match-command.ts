/** Matches simple commands against rules. */
import { type CommandPlace, covers, takesText } from "../program/covers.js";
import { baseName, type ShellCommand, type ShellWord } from "../shell/shell-line.js";
import type { CommandPattern } from "./read-command-pattern.js";

/** For allow rules: every word of the rule is literal and equal, and `:*` covers the rest. */
export function isCommand({ words, more, every }: CommandPattern, command: ShellCommand, place: CommandPlace): boolean {
  const { length } = command.words;
  if (more ? length < words.length : length !== words.length) return false;
  if (!beginsWith(command.words, words)) return false;
  if (more && every !== true) return covers(command, { fixed: words.length, place });
  return command.input !== "given" || takesText(command.words);
}

/**
 * For deny and ask rules. `maybe`: the same program (ignoring case), and the rule's words appear in order with others
 * between them, or some word is only known when it runs.
 */
export function couldBeCommand({ words, more }: CommandPattern, command: readonly ShellWord[]): "yes" | "maybe" | "no" {
  const [name] = command;
  const [wanted] = words;
  if (name === undefined || wanted === undefined) return "no";
  // `/bin/rm` is `rm`.
  const isSame = name.text === wanted || baseName(name.text) === wanted;
  if (!isSame && baseName(name.text).toLowerCase() !== baseName(wanted).toLowerCase()) return "no";
  const rest = command.slice(1);
  if (isSame && beginsWith(rest, words.slice(1)) && (more || rest.length === words.length - 1)) return "yes";
  let at = 1;
  for (const word of rest) {
    if (!word.literal) return "maybe";
    const next = words[at];
    if (next !== undefined && (word.text === next || mayBeOption(word.text, next))) at++;
  }
  return at >= words.length ? "maybe" : "no";
}

/** `-f` may be short for `--force`, and `--forc` an abbreviation of it. */
function mayBeOption(text: string, option: string): boolean {
  if (!/^--\w/.test(option)) return false;
  if (text.startsWith("--")) return option.startsWith(text.replace(/=.*/s, "")) && text.length > 3;
  return /^-\w/.test(text) && text.includes(option[2] as string);
}

function beginsWith(command: readonly ShellWord[], words: readonly string[]): boolean {
  return words.every((word, at) => command[at]?.literal === true && command[at].text === word);
}
