/** Other agents' sessions with references that find each of them again. */
import type { ForeignSession } from "./contract.js";
import { type FindOptions, findSessions } from "./find-sessions.js";

/** Another agent's session, and optionally an entry in it. */
export interface ForeignPlace {
  readonly foreign: ForeignSession;
  /** Finds this session again from any directory: `claude-code:4f2a...`, or a path if the ID is not unique. */
  readonly reference: string;
  /** The text after `#`. */
  readonly entry?: string;
}

/** All sessions in the default folders, or those of some agents, newest first. */
export async function findPlaces(options: FindOptions = {}): Promise<readonly ForeignPlace[]> {
  const all = await findSessions(options);
  const referenceTo = referencesAmong(all);
  return all.map((foreign) => ({ foreign, reference: referenceTo(foreign) }));
}

/** `agent:id` if that is unique among all sessions, otherwise the path, followed by `#id` for a database. */
export function referencesAmong(all: readonly ForeignSession[]): (session: ForeignSession) => string {
  const times = new Map<string, number>();
  for (const session of all) times.set(nameOf(session), (times.get(nameOf(session)) ?? 0) + 1);
  return (session) => {
    if ((times.get(nameOf(session)) ?? 1) === 1) return nameOf(session);
    return session.path.endsWith(".db") ? `${session.path}#${session.id}` : session.path;
  };
}

function nameOf({ agent, id }: ForeignSession): string {
  return `${agent}:${id}`;
}
