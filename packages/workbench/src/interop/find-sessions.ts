/** Finds the sessions of all agents in their default folders. */
import { READERS } from "./agents.js";
import type { AgentName, AgentPlaces, ForeignSession } from "./contract.js";

export interface FindOptions extends AgentPlaces {
  /** Default: all agents. */
  readonly agents?: readonly AgentName[];
  readonly signal?: AbortSignal;
}

/** Other agents' sessions on this machine, newest first. */
export async function findSessions(options: FindOptions = {}): Promise<ForeignSession[]> {
  const found: ForeignSession[] = [];
  for (const reader of READERS) {
    if (options.agents !== undefined && !options.agents.includes(reader.agent)) continue;
    for await (const session of reader.find(options)) {
      options.signal?.throwIfAborted();
      found.push(session);
    }
  }
  return found.sort((a, b) => b.modified.getTime() - a.modified.getTime());
}
