/** Finds the sessions of all agents in their default folders. */
import { setImmediate } from "node:timers/promises";
import { READERS } from "./agents.js";
import type { AgentName, AgentPlaces, ForeignSession } from "./contract.js";
import { KnownFiles } from "./known-files.js";

export interface FindOptions extends AgentPlaces {
  /** Default: all agents. */
  readonly agents?: readonly AgentName[];
  readonly signal?: AbortSignal;
  /**
   * A file that keeps what was read, so that unchanged transcripts are not read again. It may be deleted at any time.
   * Default: none, and nothing is written.
   */
  readonly cache?: string;
}

/** Yield to other work after this much time. */
const TURN_MS = 20;

/** Other agents' sessions on this machine, newest first. */
export async function findSessions(options: FindOptions = {}): Promise<ForeignSession[]> {
  const found: ForeignSession[] = [];
  const { agents, signal, cache } = options;
  const known = cache === undefined ? undefined : new KnownFiles(cache);
  let since = performance.now();
  for await (const session of findWith(options, { agents, known })) {
    if (performance.now() - since > TURN_MS) {
      await setImmediate();
      since = performance.now();
    }
    signal?.throwIfAborted();
    found.push(session);
  }
  return found.sort((a, b) => b.modified.getTime() - a.modified.getTime());
}

interface FindWith {
  readonly agents?: readonly AgentName[] | undefined;
  readonly known?: KnownFiles | undefined;
}

/** In the order they are found, agent by agent. What was read is kept once all are found. */
export async function* findWith(places: AgentPlaces, { agents, known }: FindWith): AsyncGenerator<ForeignSession> {
  for (const reader of READERS) {
    if (agents !== undefined && !agents.includes(reader.agent)) continue;
    yield* reader.find(places, known);
    known?.finished(reader.agent);
  }
  known?.save();
}
