/** `bough rename`: gives a session a name. */
import { usageError } from "../../cli-error.js";
import { openToChange } from "../open-to-change.js";
import { ownSessionArgument } from "../session-argument.js";
import { sessionFacts } from "../session-facts.js";
import type { SubcommandCall, SubcommandRow } from "../subcommand.js";

export const row: SubcommandRow = {
  name: "rename",
  usage: "<session> <name>",
  summary: "Rename a session",
  details: "Names work anywhere a session ID does. Earlier names stay in the file.",
  flags: {},
  examples: [["rename 4f2a 'parser session'", "set its name"]],
  json: '{ "session": { id, path, name, leafId } }',
  args: { least: 2, most: 2 },
  completes: "sessions",
};

export async function run(call: SubcommandCall): Promise<number> {
  const { args, places, out } = call;
  const name = (args[1] ?? "").replace(/\s+/g, " ").trim();
  if (name === "") throw usageError("The name cannot be empty");
  const { file } = await ownSessionArgument(args[0], places);
  const session = openToChange(file, call);
  try {
    if (session.getSessionName() !== name) session.appendSessionInfo(name);
    if (out.json) out.value({ session: sessionFacts(session) });
    else out.line(`${session.getSessionId()} renamed to "${name}"`);
    return 0;
  } finally {
    session.close();
  }
}
