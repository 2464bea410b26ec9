/** Sessions of other agents, one after the other as they are found, between keys. */
import { setImmediate as nextRound } from "node:timers/promises";
import type { AgentName, AgentPlaces, ForeignSession } from "../../interop/index.js";
import { loadInterop } from "./load-interop.js";

export interface ForeignSearch {
  /** Where agents keep their sessions. Default: the places of this user. */
  readonly places?: AgentPlaces | undefined;
  /** Default: every agent. */
  readonly agents?: readonly AgentName[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * In the order they are found, agent by agent. Readers look at files without waiting, so this waits between two
 * sessions: keys are heard and frames drawn meanwhile. Ends early, and without an error, where the signal fires.
 */
export async function* streamForeign({
  places = {},
  agents,
  signal,
}: ForeignSearch = {}): AsyncGenerator<ForeignSession> {
  const { READERS } = await loadInterop();
  for (const reader of READERS) {
    if (agents !== undefined && !agents.includes(reader.agent)) continue;
    for await (const session of reader.find(places)) {
      if (signal?.aborted === true) return;
      yield session;
      await nextRound();
    }
    await nextRound();
    if (signal?.aborted === true) return;
  }
}

/** All of them, newest first. */
export async function listForeign(search: ForeignSearch = {}): Promise<ForeignSession[]> {
  const found: ForeignSession[] = [];
  for await (const session of streamForeign(search)) found.push(session);
  return found.sort((a, b) => b.modified.getTime() - a.modified.getTime());
}
