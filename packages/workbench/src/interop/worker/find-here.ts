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
  const [{ findWith }, { KnownFiles, knownFilesPlace }] = await Promise.all([
    import("../find-sessions.js"),
    import("../known-files.js"),
  ]);
  // Folders of a test or of an unusual setup would replace what is known of this user's.
  const known = places.home === undefined ? new KnownFiles(knownFilesPlace()) : undefined;
  for await (const session of findWith(places, { agents, known })) {
    if (signal?.aborted === true) return;
    yield session;
  }
}
