/** Whether a command line certainly changes nothing. */
import { homedir } from "node:os";
import { commandShell } from "../process/command-shell.js";
import { isReading, parseShell } from "./shell/parse-shell.js";
import type { ShellWord } from "./shell/shell-line.js";

/** The real path of a system program. */
const SYSTEM = /^(?:\/usr)?\/bin\/[^/]+$/;

/**
 * True if every command of the line is a program that only reads, all its options are known to keep it that way, and no
 * redirection writes. Anything not understood may change something.
 */
export function onlyReads(command: string, cwd: string): boolean {
  const line = parseShell(command, { ...commandShell(), cwd, userHome: homedir() });
  if (line.unknown.length > 0 || line.writes.length > 0 || line.glanced.length > 0) return false;
  return line.commands.every(({ words }) => isReader(words));
}

function isReader(words: readonly ShellWord[]): boolean {
  const [name] = words;
  if (name === undefined || !name.literal) return false;
  if (name.text === "cd") return true;
  // A program of the project could have any name.
  if (name.text.includes("/") && !SYSTEM.test(name.text)) return false;
  return isReading(words);
}
