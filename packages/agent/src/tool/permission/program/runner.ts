import type { OptionTable } from "./option-table.js";

/** A program that runs or changes something in the project. */
export interface Runner {
  /** Options known not to choose another program, folder or configuration. */
  readonly options: OptionTable;
  /** More options that do choose one, besides those whose name suggests it. Includes their abbreviations. */
  readonly chooses: readonly string[];
  /** Accept only options in the table; otherwise also others whose name and value look harmless. */
  readonly isStrict: boolean;
  /** `-name` is a long name, not a cluster of letters; names are case-insensitive. */
  readonly namesByOneDash: boolean;
  /** Options end with the first operand; what follows belongs to the program it names. */
  readonly stops: boolean;
  /** Without an operand it runs its standard input. */
  readonly needsOperand: boolean;
  /** The first operand is another program, whose own table applies to what follows. */
  readonly runsOperand: boolean;
  /** Operands with a special meaning, which are not covered. */
  readonly refuses: RegExp | undefined;
  /**
   * Meaning of `--`: `nothing` is certain; `operands` of its own follow; or `others`, arguments for the program it
   * runs.
   */
  readonly dashes: "nothing" | "operands" | "others";
  /** False if it only reads its operands. */
  readonly changesOperands?: false;
  /** Subcommands that a rule for the program alone covers. */
  readonly subcommands: ReadonlySet<string> | undefined;
}
