/** What a shell command line does, as far as it can be read off its text. */

export interface ShellWord {
  /** Without its quotes. Of a word with expansions, only what is written out. */
  readonly text: string;
  /** False if the shell makes something else of it: a variable, a substitution, a pattern. It may become any words. */
  readonly literal: boolean;
  /** What is written out before the first expansion: all of it in a literal word. */
  readonly start: string;
  /** It may become several words, options among them: a variable or a substitution without quotes, or `"$@"`. */
  readonly splits: boolean;
  /** Length of the beginning that has no quotes, escapes or expansions: where an assignment is looked for. */
  readonly plain: number;
}

/** One program or built-in with its words; the first is its name. */
export type ShellCommand = readonly ShellWord[];

export interface ShellLine {
  /** Every simple command, those inside substitutions and behind `env`, `xargs` or `sh -c` included. */
  readonly commands: readonly ShellCommand[];
  /**
   * Commands that only run others (`env`, `sh`) or only print (`echo`), and words that may be run: rules against them hold,
   * none is needed.
   */
  readonly wrappers: readonly ShellCommand[];
  /** Files that redirections and options change. A word that is not literal could be any file. */
  readonly writes: readonly ShellWord[];
  /** Files that redirections read, and folders it goes to. */
  readonly reads: readonly ShellWord[];
  /** Why it is not understood, as clauses; none if it is. What was found by then is in the other lists. */
  readonly unknown: readonly string[];
}

/** Collects what is found while a line is read. */
export class FoundInLine {
  readonly commands: ShellCommand[] = [];
  readonly wrappers: ShellCommand[] = [];
  readonly writes: ShellWord[] = [];
  readonly reads: ShellWord[] = [];
  readonly unknown: string[] = [];
  /** Where the line goes. Relative paths are not what they seem then, earlier ones neither: they may be in a loop. */
  movedTo: ShellWord | undefined;

  /** What is known once the whole line is read. */
  finished(): ShellLine {
    const { movedTo } = this;
    if (movedTo === undefined) return this;
    const moved = (word: ShellWord): ShellWord =>
      word === movedTo || word.text.startsWith("/") ? word : { ...word, literal: false, start: "" };
    return { ...this, writes: this.writes.map(moved), reads: this.reads.map(moved) };
  }
}

/** Ends the reading of a line: the rest could mean anything. */
export class NotUnderstood extends Error {}

/** A word nothing is known about. */
export const ANY_WORD: ShellWord = { text: "", literal: false, start: "", plain: 0, splits: true };
