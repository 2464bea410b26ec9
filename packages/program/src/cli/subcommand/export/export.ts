/** `bough export`: a session as a page, as Markdown or as a session file. */

import type { SubcommandCall } from "../subcommand.js";
import { exportSession } from "./export-session.js";

export function run(call: SubcommandCall): Promise<number> {
  return exportSession(call);
}
