/** If Bough has no sessions here, says that other agents were used. */
import { AGENT_TITLES } from "@bough/session/entry/index.js";
import { isOwnSessionFile } from "@bough/session/session/internal.js";
import { counted } from "@bough/session/text/index.js";
import type { SubcommandCall } from "../subcommand.js";

/** `14 sessions of other agents are here: 12 of Claude Code, 2 of Codex.` Undefined if there are none anywhere. */
export async function othersHere({
  places,
  signal,
}: Pick<SubcommandCall, "places" | "signal">): Promise<string | undefined> {
  const [{ findSessions }, { isAbout, knownFilesPlace }] = await Promise.all([
    import("@bough/workbench/interop/index.js"),
    import("@bough/workbench/interop/internal.js"),
  ]);
  const found = (await findSessions({ signal, cache: knownFilesPlace() })).filter(
    ({ path }) => !isOwnSessionFile(path),
  );
  if (found.length === 0) return undefined;
  const here = found.filter(isAbout(places.cwd));
  const elsewhere = found.length - here.length;
  if (here.length === 0) {
    return `${counted(elsewhere, "session")} from other agents ${isOrAre(elsewhere)} in other folders. To list them: bough ls --all-agents`;
  }
  const numbers = new Map<string, number>();
  for (const { agent } of here) numbers.set(AGENT_TITLES[agent], (numbers.get(AGENT_TITLES[agent]) ?? 0) + 1);
  const each = [...numbers].map(([title, number]) => `${number} of ${title}`).join(", ");
  return `${counted(here.length, "session")} from other agents ${isOrAre(here.length)} in this folder: ${each}. To list them: bough ls --all-agents`;
}

function isOrAre(number: number): string {
  return number === 1 ? "is" : "are";
}
