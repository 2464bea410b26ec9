/** `bough export`: a session as a page, as Markdown or as a session file. */
import { exportSession } from "../export/export-session.js";
import type { SubcommandCall } from "../subcommand.js";

export function run(call: SubcommandCall): Promise<number> {
  return exportSession(call);
}
