/** Matches what a user typed to other agents' sessions. */
import { matchByIdOrName } from "@bough/session/session/internal.js";
import { AGENT_NAMES, type ForeignSession } from "./contract.js";

/** Shorter prefixes match IDs too easily. */
const LEAST_START = 4;

/**
 * Matches by ID, then title, then start of ID, each optionally after `agent:`. Exact matches win. Returns any number of
 * sessions.
 */
export function matchSessions(sessions: readonly ForeignSession[], wanted: string): readonly ForeignSession[] {
  const colon = wanted.indexOf(":");
  const agent = AGENT_NAMES.find((name) => name === wanted.slice(0, colon));
  if (agent === undefined) return matching(sessions, wanted);
  const own = matching(
    sessions.filter((session) => session.agent === agent),
    wanted.slice(colon + 1),
  );
  // It may be a title that starts like `agent:`.
  return own.length > 0 ? own : matching(sessions, wanted);
}

function matching(sessions: readonly ForeignSession[], wanted: string): readonly ForeignSession[] {
  return matchByIdOrName(sessions, wanted, { nameOf: ({ title }) => title, leastStart: LEAST_START });
}
