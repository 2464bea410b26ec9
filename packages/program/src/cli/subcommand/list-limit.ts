/** How many rows a list shows. */
import type { SubcommandCall } from "./subcommand.js";

/** The default in a terminal: more would scroll away. */
const TERMINAL_LIMIT = 100;

/** `--limit`, or the default in a terminal. Otherwise undefined: all of them. */
export function listLimit({ flags, out }: Pick<SubcommandCall, "flags" | "out">): number | undefined {
  return flags.count("limit") ?? (out.isTerminal && !out.json ? TERMINAL_LIMIT : undefined);
}
