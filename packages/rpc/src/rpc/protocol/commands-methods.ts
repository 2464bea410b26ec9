// Made from the schema by `npx vitest run packages/program/src/cli/rpc/rpc-docs.test.ts --update`.
/** Commands: what the methods take and answer. */
import type { CommandOutcome, ListedCommand } from "./answers.js";

export interface RunCommandParams {
  readonly line: string;
}

/** Commands. */
export interface CommandsMethods {
  /** Every slash command, with its arguments and whether it is available now. */
  readonly commands: { readonly params: Readonly<Record<string, never>>; readonly result: readonly ListedCommand[] };
  /** Runs a slash command, built-in or from an extension. Asks nothing and answers with text and data. */
  readonly runCommand: { readonly params: RunCommandParams; readonly result: CommandOutcome };
}
