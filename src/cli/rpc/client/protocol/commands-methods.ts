// Made from the schema by `npx vitest run --project rooms src/cli/rpc/rpc-docs.test.ts --update`.
import type { AnswerShapes } from "./answers.js";

/** Commands. */
export interface CommandsMethods {
  /** Every slash command, with its arguments and whether it is available now. */
  readonly commands: {
    readonly params: Readonly<Record<string, never>>;
    readonly result: readonly AnswerShapes["ListedCommand"][];
  };
  /** Runs a slash command, built-in or from an extension. Asks nothing and answers with text and data. */
  readonly runCommand: {
    readonly params: {
      readonly line: string;
    };
    readonly result: AnswerShapes["CommandOutcome"];
  };
}
