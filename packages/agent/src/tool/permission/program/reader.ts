import type { ShellWord } from "../shell/shell-line.js";
import type { OptionTable, ReadOptions } from "./option-table.js";

/** A program that only reads and prints. */
export interface Reader {
  readonly options: OptionTable;
  /**
   * Its operands: files whose content it prints, names whose content it does not print, or a pattern followed by files.
   */
  readonly operands: "files" | "names" | "pattern";
  /** It walks folders: always, or with one of these options. */
  readonly folders?: "always" | readonly string[];
  /** It skips hidden files unless one of these options is present. */
  readonly hidden?: readonly string[];
  /** Maximum number of operands: the next one could be a file it writes. A shell pattern may expand to more. */
  readonly most?: number;
  /** Options end with the first operand. */
  readonly stops?: boolean;
  /** Converts an unusual form of its arguments to the usual one. */
  readonly prepare?: (words: readonly ShellWord[]) => readonly ShellWord[];
  /** Other conditions on its arguments. */
  readonly accepts?: (read: ReadOptions, words: readonly ShellWord[]) => boolean;
}
