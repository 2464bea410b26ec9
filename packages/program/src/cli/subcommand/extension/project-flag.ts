/** The flag of commands that change extensions, which are the user's without it. */
import type { SubcommandFlag } from "../subcommand-flag.js";

export const PROJECT: SubcommandFlag = { help: "for this project only, in .bough; the project must be trusted" };
