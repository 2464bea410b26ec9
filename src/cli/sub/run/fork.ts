/** `bough fork`: a copy of a session, or of one path of it. The original is only read. */

import type { EntryId } from "../../../entry/index.js";
import { SessionManager } from "../../../session/index.js";
import { counted } from "../../../text/index.js";
import { openToLook } from "../open-to-look.js";
import { ownSessionArgument, placeIn } from "../session-argument.js";
import { sessionFacts } from "../session-facts.js";
import type { SubcommandCall } from "../subcommand.js";

export async function run(call: SubcommandCall): Promise<number> {
  const { out, flags, places } = call;
  const argument = await ownSessionArgument(call.args[0], places);
  const { file, place } = argument;
  const { session: source, close } = await openToLook(argument, call);
  let made: { readonly file: string; readonly entryId: EntryId | undefined };
  try {
    const entryId = place === undefined ? undefined : placeIn(source, place);
    made = { entryId, file: copyOf(source, entryId) };
  } finally {
    close();
  }
  const copy = SessionManager.open(made.file);
  try {
    const name = flags.text("name");
    if (name !== undefined) copy.appendSessionInfo(name);
    const { entries } = copy.getCounts();
    const facts = sessionFacts(copy);
    if (out.json) {
      out.value({
        session: facts,
        from: file,
        entries,
        ...(made.entryId === undefined ? {} : { entryId: made.entryId }),
      });
    } else {
      const what = made.entryId === undefined ? "all branches" : `the path to ${made.entryId}`;
      out.line(`Copied ${what}: ${counted(entries, "entry", "entries")} into ${made.file}`);
      out.line(`Go on there with: bough --session ${facts.id}`);
    }
    return 0;
  } finally {
    copy.close();
  }
}

function copyOf(source: SessionManager, entryId: EntryId | undefined): string {
  const original = source.getSessionFile() as string;
  const dir = source.getSessionDir();
  if (entryId !== undefined) return source.createBranchedSession(entryId) as string;
  const copy = SessionManager.forkFrom(original, source.getCwd(), dir);
  copy.close();
  return copy.getSessionFile() as string;
}
