/** The data that the completion scripts of all shells are made from. */
import { FLAGS } from "../../flags.js";
import type { SubcommandRow } from "../subcommand.js";
import { COMMON_FLAGS } from "../subcommand-flag.js";

export interface FlagFacts {
  readonly name: string;
  readonly short: string | undefined;
  readonly help: string;
  readonly takesValue: boolean;
  readonly choices: readonly string[];
}

interface CommandFacts {
  readonly name: string;
  readonly summary: string;
  readonly completes: "sessions" | "none" | readonly string[];
  readonly flags: readonly FlagFacts[];
}

export interface CompletionFacts {
  readonly commands: readonly CommandFacts[];
  /** For `bough` without a subcommand. */
  readonly flags: readonly FlagFacts[];
}

export function completionFacts(commands: readonly SubcommandRow[]): CompletionFacts {
  const demo: CommandFacts = {
    name: "demo",
    summary: "Open a bundled session to look around in",
    completes: "none",
    flags: [],
  };
  return {
    commands: [
      ...commands.map(({ name, summary, completes, flags }) => ({
        name,
        summary,
        completes,
        flags: flagFacts({ ...flags, ...COMMON_FLAGS }),
      })),
      demo,
    ],
    flags: flagFacts(FLAGS),
  };
}

function flagFacts(
  flags: Readonly<Record<string, { short?: string; value?: string; help: string; choices?: readonly string[] }>>,
): FlagFacts[] {
  return Object.entries(flags).map(([name, { short, value, help, choices = [] }]) => ({
    name,
    short,
    help,
    takesValue: value !== undefined,
    choices,
  }));
}

/** The value of a flag that takes a session. */
export function namesSession({ name }: FlagFacts): boolean {
  return ["session", "resume", "fork", "in"].includes(name);
}
