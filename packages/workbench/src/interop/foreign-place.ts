/** Sessions of other agents with what finds each of them again. */
import type { ForeignSession } from "./contract.js";
import { type FindOptions, findSessions } from "./find-sessions.js";

/** Another agent's session, and perhaps an entry in it. */
export interface ForeignPlace {
  readonly foreign: ForeignSession;
  /** What finds this session again, from anywhere: `claude-code:4f2a...`, or a path where it is elsewhere. */
  readonly reference: string;
  /** What was after `#`. */
  readonly entry?: string;
}

/** Every session in the default folders, or those of some agents, newest first. */
export async function findPlaces(options: FindOptions = {}): Promise<readonly ForeignPlace[]> {
  const all = await findSessions(options);
  const referenceTo = referencesAmong(all);
  return all.map((foreign) => ({ foreign, reference: referenceTo(foreign) }));
}

/** The id where its agent has it once among all; otherwise the path, and in a database the id after it. */
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
