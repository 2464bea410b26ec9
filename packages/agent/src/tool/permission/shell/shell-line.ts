/** What a shell command line does, as far as it is certain. */

export interface ShellWord {
  /** Without its quotes. */
  readonly text: string;
  /** False for a pattern such as `src/*.ts`, which becomes names that begin like it; in what was only glanced at, for anything. */
  readonly literal: boolean;
}

/** One program or built-in with its words; the first is its name. */
export interface ShellCommand {
  readonly words: readonly ShellWord[];
  /** What it reads: nothing it was given, the output of the command before it, or text or a file of this line. */
  readonly input: "none" | "pipe" | "given";
}

export interface ShellLine {
  /** Every command that needs a rule. */
  readonly commands: readonly ShellCommand[];
  /** Commands that only print or compare (`echo`, `true`, `[`): rules against them hold, none is needed. */
  readonly free: readonly ShellCommand[];
  /** What may run as well, such as `rm` in `sudo rm a`, or in a line that is not certain. For rules against it. */
  readonly glanced: readonly GlancedCommand[];
  /** Files that redirections change. */
  readonly writes: readonly ShellWord[];
  /** Files that texts among its words may change, such as that of `bash -lc`. */
  readonly glancedWrites: readonly ShellWord[];
  /** Files that redirections read. */
  readonly reads: readonly ShellWord[];
  /** The folder that the line goes to first. */
  readonly folder?: ShellWord;
  /** What follows may run although the line did not get there: `cd x; ls`. */
  readonly mayStay: boolean;
  /** Why it is not certain, as clauses; none if it is. */
  readonly unknown: readonly string[];
  /** Why it may run something that is not in it, as clauses. For rules against something. */
  readonly opaque: readonly string[];
}

export interface GlancedCommand {
  readonly words: readonly ShellWord[];
  /** It runs if the line does, and not only if some program takes it for a command. */
  readonly runs: boolean;
  /** It is the end of another one that was glanced at, as in `sudo rm a`. */
  readonly isEnd?: true;
}

/** The shell that commands run in. */
export interface ShellFacts {
  /** Bash, and not another `sh`. */
  readonly isBash: boolean;
  /** The first number of its version; 0 if it is not known. */
  readonly version: number;
  readonly cwd: string;
  readonly userHome: string;
}

/** Ends the reading of a line: it is outside the language that is certain. */
export class NotCertain extends Error {}

export function baseName(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}
