/** How many rows a list shows. */
import type { SubcommandCall } from "./subcommand.js";

/** A terminal shows this many unless told otherwise: the rest would scroll away. */
const TERMINAL_LIMIT = 100;

/** `--limit`; without it all, except in a terminal. */
export function listLimit({ flags, out }: Pick<SubcommandCall, "flags" | "out">): number | undefined {
  return flags.count("limit") ?? (out.isTerminal && !out.json ? TERMINAL_LIMIT : undefined);
}
