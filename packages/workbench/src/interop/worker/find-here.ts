/** Searches for other agents' sessions in the current thread, agent by agent. */
import type { AgentName, AgentPlaces, ForeignSession } from "../contract.js";

export interface ForeignSearch {
  /** Where agents keep their sessions. Default: this user's folders. */
  readonly places?: AgentPlaces | undefined;
  /** Default: all agents. */
  readonly agents?: readonly AgentName[] | undefined;
  /** Ends the search, without an error. */
  readonly signal?: AbortSignal | undefined;
}

export async function* findHere({ places = {}, agents, signal }: ForeignSearch): AsyncGenerator<ForeignSession> {
  // Loaded lazily, so that readers do not slow down the start of the program.
  const { READERS } = await import("../agents.js");
  for (const reader of READERS) {
    if (agents !== undefined && !agents.includes(reader.agent)) continue;
    for await (const session of reader.find(places)) {
      if (signal?.aborted === true) return;
      yield session;
    }
    if (signal?.aborted === true) return;
  }
}
