/** A subcommand is one file: at the top the row that describes it, below it the code that runs it. */
import type { SessionPlaces } from "@bough/session/session/internal.js";
import type { ProtocolOutput } from "../output/protocol-output.js";
import type { FlagValues } from "./flag-values.js";
import type { Output } from "./output.js";
import type { SubcommandFlag } from "./subcommand-flag.js";

/**
 * Read by help, completion, the reference page and argument parsing. The build separates it from the code
 * (scripts/build/subcommand-rows.mjs). Every start of a command loads all rows and the modules that they import, so a row
 * uses only constants from small modules.
 */
export interface SubcommandRow {
  readonly name: string;
  /** What follows the name: `[session]`. */
  readonly usage: string;
  /** One line, without a full stop. */
  readonly summary: string;
  /** Sentences. */
  readonly details: string;
  readonly flags: Readonly<Record<string, SubcommandFlag>>;
  /** A command line without `bough`, and what it does. */
  readonly examples: readonly (readonly [line: string, meaning: string])[];
  /** What `--json` prints. */
  readonly json: string;
  readonly args: { readonly least: number; readonly most: number };
  /** What a shell completes for the arguments. */
  readonly completes: "sessions" | "none" | readonly string[];
}

export interface Subcommand extends SubcommandRow {
  /** Its file, imported only when it runs, so that a quick command stays quick. */
  readonly load: () => Promise<SubcommandFile>;
}

interface SubcommandFile {
  readonly row: SubcommandRow;
  /** Returns the exit code. Throws errors with codes. */
  readonly run: (call: SubcommandCall) => Promise<number>;
}

export interface SubcommandCall {
  readonly args: readonly string[];
  readonly flags: FlagValues;
  readonly out: Output;
  readonly places: SessionPlaces;
  /** Aborts on Ctrl+C, and when the output is closed. */
  readonly signal: AbortSignal;
  /** Takes over standard output, for a command that speaks a protocol on it. */
  readonly takeOutput: () => Promise<ProtocolOutput>;
  readonly now: () => Date;
  readonly version: string;
  /** All subcommands, for scripts that complete them. */
  readonly commands: readonly SubcommandRow[];
}

/** Errors of the log itself have their own codes. */
export const DAMAGED = 3;
