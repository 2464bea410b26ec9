/** What a shell command line certainly does, and what it may do. */

export interface ShellWord {
  /** Without quotes. */
  readonly text: string;
  /**
   * False for a pattern such as `src/*.ts`, which expands to names with the same start; in glanced commands, for any
   * text.
   */
  readonly literal: boolean;
}

/** One program or built-in with its words; the first is its name. */
export interface ShellCommand {
  readonly words: readonly ShellWord[];
  /** Its standard input: not redirected, the output of the previous command, or a file or text given in this line. */
  readonly input: "none" | "pipe" | "given";
}

export interface ShellLine {
  /** Every command that needs a rule. */
  readonly commands: readonly ShellCommand[];
  /** Commands that only print or compare (`echo`, `true`, `[`): they need no rule, but deny and ask rules apply. */
  readonly free: readonly ShellCommand[];
  /** What else may run, such as `rm` in `sudo rm a`, or in an uncertain line. For deny and ask rules. */
  readonly glanced: readonly GlancedCommand[];
  /** Files that redirections write. */
  readonly writes: readonly ShellWord[];
  /** Files that scripts in its arguments may write, such as that of `bash -lc`. */
  readonly glancedWrites: readonly ShellWord[];
  /** Files that redirections read. */
  readonly reads: readonly ShellWord[];
  /** The folder that the line changes to first. */
  readonly folder?: ShellWord;
  /** Whether later commands run even if the `cd` failed: `cd x; ls`. */
  readonly mayStay: boolean;
  /** Clauses that say why the line is uncertain; empty if it is certain. */
  readonly unknown: readonly string[];
  /** Clauses that say why it may run something that is not in the line. For deny and ask rules. */
  readonly opaque: readonly string[];
}

export interface GlancedCommand {
  readonly words: readonly ShellWord[];
  /** Whether it runs whenever the line does, not only if some program treats it as a command. */
  readonly runs: boolean;
  /** Whether it is the end of another command in the list, as in `sudo rm a`. */
  readonly isEnd?: true;
}

/** Facts about the shell that commands run in. */
export interface ShellFacts {
  /** Whether it is bash, not another `sh`. */
  readonly isBash: boolean;
  /** Its major version; 0 if unknown. */
  readonly version: number;
  readonly cwd: string;
  readonly userHome: string;
}

/** Aborts parsing: the line is outside the safe subset. The message is a clause that says why. */
export class NotCertain extends Error {}

export function baseName(name: string): string {
  return name.slice(name.lastIndexOf("/") + 1);
}
