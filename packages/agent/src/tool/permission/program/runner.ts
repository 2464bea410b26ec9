import type { OptionTable } from "./option-table.js";

/** A program that runs or changes something of the project. */
export interface Runner {
  /** Options that are known to choose nothing. */
  readonly options: OptionTable;
  /** Options that choose something, besides those whose name says so. Their abbreviations count too. */
  readonly chooses: readonly string[];
  /** Only options of the table. Otherwise also others whose name does not say that they choose something. */
  readonly isStrict: boolean;
  /** `-name` is a name and not a cluster of letters; upper case may be lower case. */
  readonly namesByOneDash: boolean;
  /** Options end with the first operand: what follows belongs to the program it names. */
  readonly stops: boolean;
  /** Without an operand it runs what it reads. */
  readonly needsOperand: boolean;
  /** The first operand is a program: what follows goes by that program's table. */
  readonly runsOperand: boolean;
  /** Operands it takes for more than names of files, tests or targets. */
  readonly refuses: RegExp | undefined;
  /**
   * What `--` does: nothing that is certain; what follows are operands of its own; or words for the program it runs,
   * which are not its own.
   */
  readonly dashes: "nothing" | "operands" | "others";
  /** False if it reads its operands and changes nothing there. */
  readonly changesOperands?: false;
  /** Subcommands that a rule for the program alone covers. */
  readonly subcommands: ReadonlySet<string> | undefined;
}
