/** Looking for other agents' sessions in this thread, agent by agent. */
import type { AgentName, AgentPlaces, ForeignSession } from "../contract.js";

export interface ForeignSearch {
  /** Where agents keep their sessions. Default: the places of this user. */
  readonly places?: AgentPlaces | undefined;
  /** Default: every agent. */
  readonly agents?: readonly AgentName[] | undefined;
  /** Ends the search, without an error. */
  readonly signal?: AbortSignal | undefined;
}

export async function* findHere({ places = {}, agents, signal }: ForeignSearch): AsyncGenerator<ForeignSession> {
  // Loaded when someone asks: no start of the program waits for the readers.
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
