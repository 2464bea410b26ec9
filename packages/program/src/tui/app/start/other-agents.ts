/** Whether other agents have sessions here, looked up after the first frame and said once to a newcomer. */

import type { Notice } from "@bough/session/text/index.js";
import type { AgentName, AgentPlaces } from "@bough/workbench/interop/index.js";
import { foundForeignNotice, streamForeign } from "@bough/workbench/interop/internal.js";

interface OtherAgentsSearch {
  readonly places: AgentPlaces;
  readonly signal: AbortSignal;
}

/** What to say; undefined if there are none, or if it was cancelled. */
export async function otherAgentsNotice({ places, signal }: OtherAgentsSearch): Promise<Notice | undefined> {
  const agents = new Set<AgentName>();
  let sessions = 0;
  for await (const { agent } of streamForeign({ places, signal })) {
    agents.add(agent);
    sessions += 1;
  }
  return sessions === 0 || signal.aborted ? undefined : foundForeignNotice(sessions, agents);
}
