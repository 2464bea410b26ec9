/** Whether a simple command is what a rule names. */
import type { ShellCommand } from "../shell/shell-line.js";
import { baseName } from "../shell/unwrap-command.js";
import { wildcardCovers } from "./wildcard-limits.js";

interface CommandPattern {
  readonly words: readonly string[];
  readonly more: boolean;
}

/** For rules that allow: every word is written out and the same, and what follows is what `:*` stands for. */
export function isCommand({ words, more }: CommandPattern, command: ShellCommand): boolean {
  if (more ? command.length < words.length : command.length !== words.length) return false;
  if (!beginsWith(command, words)) return false;
  return !more || wildcardCovers(command, words.length);
}

/**
 * For rules against something. `maybe`: the same program, with the words of the rule in order but others between them,
 * or with words that are only known when it runs.
 */
export function couldBeCommand({ words, more }: CommandPattern, command: ShellCommand): "yes" | "maybe" | "no" {
  const [name] = command;
  const [wanted] = words;
  if (name === undefined || wanted === undefined) return "no";
  // /bin/rm is rm.
  if (name.text !== wanted && baseName(name.text) !== wanted) return "no";
  const rest = command.slice(1);
  if (beginsWith(rest, words.slice(1)) && (more || rest.length === words.length - 1)) return "yes";
  let at = 1;
  for (const word of rest) {
    if (!word.literal) return "maybe";
    if (word.text === words[at]) at++;
  }
  return at >= words.length ? "maybe" : "no";
}

function beginsWith(command: ShellCommand, words: readonly string[]): boolean {
  return words.every((word, at) => command[at]?.literal === true && command[at].text === word);
}
