/** `bough export`: a session as a page, as Markdown or as a session file. */
import { shareSession } from "../export/share-session.js";
import type { SubcommandCall } from "../subcommand.js";

export function run(call: SubcommandCall): Promise<number> {
  return shareSession(call);
}
