/** The `--project` flag of the commands that change extensions. */
import type { SubcommandFlag } from "../subcommand-flag.js";

export const PROJECT: SubcommandFlag = { help: "for this project only, in .bough; the project must be trusted" };
