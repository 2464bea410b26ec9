/** Opens a session file for work. Another program's file is never written; it is imported if the user agrees. */

import { AGENT_TITLES } from "@bough/session/entry/index.js";
import { isOwnSessionFile } from "@bough/session/session/internal.js";
import { titleOf } from "@bough/session/text/index.js";
import { foreignFileAt } from "@bough/workbench/find/index.js";
import type { ForeignSession } from "@bough/workbench/interop/index.js";
import { foreignTitle } from "@bough/workbench/interop/internal.js";
import type { CommandContext, CommandOutcome } from "../command.js";
import { openSessionFile } from "../fork/fork-session.js";
import { importAndOpen } from "../import/import-foreign.js";
import { asOutcome, unchanged } from "../outcome.js";
import { SENTENCES } from "../sentences.js";

/** Asks before importing. If it cannot ask, the outcome says how to import the file. */
export function openFile(context: CommandContext, path: string): Promise<CommandOutcome> {
  return asOutcome(async () => {
    const source = await otherProgramsSession(context, path);
    if (source === undefined) return openSessionFile(context, path);
    const { confirm } = context.front;
    if (confirm === undefined) return unchanged(SENTENCES.foreignFile(source.agent, path), "read-only");
    const isWanted = await confirm({
      title: `"${foreignTitle(source, 60)}" is a session from ${AGENT_TITLES[source.agent]}, which Bough does not modify.`,
      lines: [titleOf(path, 200), "The import is a copy. The original is unchanged."],
      yes: "import it",
      no: "stay here",
    });
    return isWanted ? importAndOpen(context, source) : unchanged(SENTENCES.stayed);
  });
}

/** What a file is, if it is another program's: such a file is neither renamed nor moved. Undefined otherwise. */
export async function otherProgramsSession(
  { home, agentPlaces }: CommandContext,
  path: string,
): Promise<ForeignSession | undefined> {
  return isOwnSessionFile(path, home) ? undefined : foreignFileAt(path, agentPlaces);
}
