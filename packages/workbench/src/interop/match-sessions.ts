/** From what a user typed to the sessions of other agents that it may mean. */
import { matchByIdOrName } from "@bough/session/session/internal.js";
import { AGENT_NAMES, type ForeignSession } from "./contract.js";

/** Fewer characters are too easily the start of some id. */
const LEAST_START = 4;

/**
 * By id, then by title, then by the start of the id; each may come after `agent:`. What is exact counts before what is
 * not. None, one, or several.
 */
export function matchSessions(sessions: readonly ForeignSession[], wanted: string): readonly ForeignSession[] {
  const colon = wanted.indexOf(":");
  const agent = AGENT_NAMES.find((name) => name === wanted.slice(0, colon));
  if (agent === undefined) return matching(sessions, wanted);
  const own = matching(
    sessions.filter((session) => session.agent === agent),
    wanted.slice(colon + 1),
  );
  // A title may begin like that.
  return own.length > 0 ? own : matching(sessions, wanted);
}

function matching(sessions: readonly ForeignSession[], wanted: string): readonly ForeignSession[] {
  return matchByIdOrName(sessions, wanted, { nameOf: ({ title }) => title, leastStart: LEAST_START });
}
