/** Checks after the first frame whether other agents have sessions here, and tells new users once. */

import type { Notice } from "@bough/session/text/index.js";
import type { AgentName, AgentPlaces } from "@bough/workbench/interop/index.js";
import { foundForeignNotice, streamForeign } from "@bough/workbench/interop/internal.js";

interface OtherAgentsSearch {
  readonly places: AgentPlaces;
  readonly signal: AbortSignal;
}

/** The notice; undefined if there are none or the check was cancelled. */
export async function otherAgentsNotice({ places, signal }: OtherAgentsSearch): Promise<Notice | undefined> {
  const agents = new Set<AgentName>();
  let sessions = 0;
  for await (const { agent } of streamForeign({ places, signal })) {
    agents.add(agent);
    sessions += 1;
  }
  return sessions === 0 || signal.aborted ? undefined : foundForeignNotice(sessions, agents);
}
