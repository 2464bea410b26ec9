/** Flags of subcommands, including those that all of them have. */
import type { Flag } from "../flags.js";

export interface SubcommandFlag extends Flag {
  /** Takes an optional value with `=`; without one, the default is used. */
  readonly takesValue?: boolean;
}

/** Flags of subcommands that draw for a terminal. */
export const DRAWING_FLAGS = {
  width: { value: "columns", help: "output width (default: the terminal's, or 80)" },
  ascii: { help: "use only ASCII characters" },
} as const satisfies Readonly<Record<string, SubcommandFlag>>;

/** Flags that every subcommand has. */
export const COMMON_FLAGS: Readonly<Record<string, SubcommandFlag>> = {
  json: { help: "print JSON" },
  "session-dir": { value: "folder", help: "look for sessions in this folder" },
  cwd: { value: "folder", help: "run as if started in this folder" },
  help: { short: "h", help: "show this help" },
};
