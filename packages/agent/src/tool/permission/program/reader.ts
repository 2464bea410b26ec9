import type { ShellWord } from "../shell/shell-line.js";
import type { OptionTable, ReadOptions } from "./option-table.js";

/** A program that only reads and prints. */
export interface Reader {
  readonly options: OptionTable;
  /**
   * What its operands are: files that it prints something of, names that it prints nothing of, or a pattern and then
   * files.
   */
  readonly operands: "files" | "names" | "pattern";
  /** It goes through folders: always, or with one of these options. */
  readonly folders?: "always" | readonly string[];
  /** It leaves out hidden files without one of these options. */
  readonly hidden?: readonly string[];
  /** More could be one that it writes to. A pattern of the shell counts as many. */
  readonly most?: number;
  /** Options end with the first operand. */
  readonly stops?: boolean;
  /** Puts words of an unusual form into the usual one. */
  readonly prepare?: (words: readonly ShellWord[]) => readonly ShellWord[];
  /** Anything else about the words. */
  readonly accepts?: (read: ReadOptions, words: readonly ShellWord[]) => boolean;
}
