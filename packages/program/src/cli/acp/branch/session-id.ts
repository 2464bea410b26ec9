/**
 * The ids of sessions as a client knows them: one for each branch of a session file.
 *
 *     018f6f0e-…                 the branch the session began with
 *     018f6f0e-…~a1b2c3d4e5f6    the branch that starts with this entry
 */

/** Identifies a branch of one session: the entry it starts with, or "" for the session's first branch. */
export type BranchKey = string;

export const MAIN: BranchKey = "";

const SEPARATOR = "~";

export function sessionIdOf(session: string, key: BranchKey): string {
  return key === MAIN ? session : `${session}${SEPARATOR}${key}`;
}

export interface NamedBranch {
  readonly session: string;
  readonly key: BranchKey;
}

/** The possible meanings of an id, likeliest first: ids written by other programs may contain anything. */
export function readSessionId(id: string): readonly NamedBranch[] {
  const at = id.indexOf(SEPARATOR);
  const whole = { session: id, key: MAIN };
  return at <= 0 || at === id.length - 1 ? [whole] : [{ session: id.slice(0, at), key: id.slice(at + 1) }, whole];
}
