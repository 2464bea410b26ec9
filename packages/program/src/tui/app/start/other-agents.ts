/** Whether other agents have sessions here, looked up after the first frame and said once to a newcomer. */

import type { AgentName, AgentPlaces } from "@bough/workbench/interop/index.js";
import { foundForeignSentence, streamForeign } from "@bough/workbench/interop/internal.js";

interface OtherAgentsSearch {
  readonly places: AgentPlaces;
  readonly signal: AbortSignal;
}

/** The sentence; undefined if there are none, or if it was cancelled. */
export async function otherAgentsSentence({ places, signal }: OtherAgentsSearch): Promise<string | undefined> {
  const agents = new Set<AgentName>();
  let sessions = 0;
  for await (const { agent } of streamForeign({ places, signal })) {
    agents.add(agent);
    sessions += 1;
  }
  return sessions === 0 || signal.aborted ? undefined : foundForeignSentence(sessions, agents);
}
