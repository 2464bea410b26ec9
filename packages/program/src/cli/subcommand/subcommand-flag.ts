/** Flags of subcommands, and those that all of them have. */
import type { Flag } from "../flags.js";

export interface SubcommandFlag extends Flag {
  /** The values it takes. Anything else is wrong usage. */
  readonly choices?: readonly string[];
  /** May be given a value with `=`; without one, the default is meant. */
  readonly takesValue?: boolean;
}

/** Flags that every subcommand has. */
export const COMMON_FLAGS: Readonly<Record<string, SubcommandFlag>> = {
  json: { help: "print JSON" },
  "session-dir": { value: "folder", help: "look for sessions in this folder" },
  cwd: { value: "folder", help: "run as if started in this folder" },
  help: { short: "h", help: "show this help" },
};
