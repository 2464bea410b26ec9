/** Fetches a session that is only in the store, with visible progress, then opens it. */

import { titleOf } from "@bough/session/text/index.js";
import { type FetchOutcome, fetchStored } from "@bough/workbench/store/internal.js";
import type { CommandContext, CommandOutcome, LongWorkOutcome } from "../command.js";
import { asOutcome, unchanged } from "../outcome.js";
import { SENTENCES, severalSessionsNotice } from "../sentences.js";
import { openFile } from "../session/open-file.js";

const SHOWN = 20;

/** The file has enough to open it; `openFetched` loads the rest. */
export async function fetchWatched(
  { home, cwd, front }: CommandContext,
  reference: string,
  title = reference,
): Promise<LongWorkOutcome<FetchOutcome>> {
  const work = (signal?: AbortSignal) => fetchStored({ home, cwd, reference, rest: "later", signal });
  if (front.watch === undefined) return { kind: "done", value: await work() };
  return front.watch({ title: () => `Fetching "${titleOf(title, 30)}"`, stops: "you stay where you are", work });
}

export async function openFetched(context: CommandContext, file: string): Promise<CommandOutcome> {
  const outcome = await openFile(context, file);
  context.sync?.takeInRest();
  return outcome;
}

/** Both, one after the other. */
export function openStored(context: CommandContext, reference: string): Promise<CommandOutcome> {
  return asOutcome(async () => {
    const done = await fetchWatched(context, reference);
    if (done.kind === "stopped") return unchanged(SENTENCES.stayed);
    const { value } = done;
    if (value.kind === "fetched") return openFetched(context, value.file);
    if (value.kind === "none") return unchanged(SENTENCES.noSession(reference), "session-not-found");
    const rows = value.sessions.slice(0, SHOWN).map(({ id, title = "" }) => `  ${id}  ${titleOf(title)}`);
    return unchanged(severalSessionsNotice(reference, rows), "ambiguous-reference");
  });
}
