/** Resolves what a user typed to the sessions it may mean: an ID, a name, the start of an ID, or words. */
import { SessionError } from "../entry/index.js";
import { defined, firstWords } from "../text/index.js";
import { countable, countWithin } from "./list/count-within.js";
import { listAllSessions, listSessions } from "./list-sessions.js";
import { countsCacheFile, sessionFolder } from "./locations.js";
import type { SessionInfo } from "./session-info.js";
import type { OnUnreadable } from "./sessions-folder.js";

interface MatchOptions<Session> {
  readonly nameOf: (session: Session) => string | undefined;
  /** What lists show of a session without a name. Default: such a session has only its ID. */
  readonly shownOf?: (session: Session) => string;
  /** The shortest accepted start of an ID. Default 1. */
  readonly leastStart?: number;
  /** Text to search for every word if nothing else matches. Default: no word search. */
  readonly wordsOf?: (session: Session) => string;
}

/**
 * By ID, then name, then the name that lists show, then start of the ID, then words: the first rule that matches any
 * session decides.
 */
export function matchByIdOrName<Session extends { readonly id: string }>(
  sessions: readonly Session[],
  wanted: string,
  { nameOf, shownOf, leastStart = 1, wordsOf }: MatchOptions<Session>,
): readonly Session[] {
  const text = wanted.toLowerCase();
  const words = text.split(/\s+/);
  const isShown = shownMatcher(text);
  const rules: readonly ((session: Session) => boolean)[] = [
    ({ id }) => id === wanted,
    (session) => nameOf(session)?.toLowerCase() === text,
    (session) => shownOf !== undefined && nameOf(session) === undefined && isShown(shownOf(session)),
    ({ id }) => wanted.length >= leastStart && id.startsWith(wanted),
    (session) => {
      const known = wordsOf?.(session).toLowerCase();
      return known !== undefined && words.every((word) => known.includes(word));
    },
  ];
  for (const rule of rules) {
    const found = sessions.filter(rule);
    if (found.length > 0) return found;
  }
  return [];
}

/** Compares with a name as lists show it: on one line, and cut where there was no room. */
function shownMatcher(reference: string): (shown: string) => boolean {
  const wanted = firstWords(reference.replace(/(?:…|\.{3})$/, ""));
  const isCut = wanted !== firstWords(reference);
  return (shown) => {
    const words = firstWords(shown).toLowerCase();
    return wanted !== "" && (isCut ? words.startsWith(wanted) : words === wanted);
  };
}

export interface SessionPlaces {
  readonly cwd: string;
  /** Search only this folder. Default: the folder of `cwd`, then all others. */
  readonly dir?: string | undefined;
}

export interface ResolveOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * Called for each folder that cannot be read, because the session may be in it. Without it, that rejects with
   * `read-failed`.
   */
  readonly onUnreadable?: OnUnreadable | undefined;
}

/**
 * The sessions a reference may mean: none, one, or several. An exact ID comes first, wherever the session is; then
 * matches in this folder, then elsewhere.
 */
export async function resolveSession(
  reference: string,
  { cwd, dir }: SessionPlaces,
  { signal, onUnreadable }: ResolveOptions = {},
): Promise<readonly SessionInfo[]> {
  const here = await sessionsHere(dir ?? sessionFolder(cwd), onUnreadable);
  const exact = here.find(({ id }) => id === reference);
  if (exact !== undefined) return [exact];
  if (dir !== undefined) return matchAll(here, reference, signal);
  const all = await listAllSessions(undefined, defined({ onUnreadable }));
  const elsewhere = all.filter(({ id }) => id === reference);
  if (elsewhere.length > 0) return elsewhere;
  const found = await matchAll(here, reference, signal);
  return found.length > 0 ? found : matchAll(all, reference, signal);
}

async function sessionsHere(folder: string, onUnreadable: OnUnreadable | undefined): Promise<SessionInfo[]> {
  try {
    return await listSessions(folder);
  } catch (error) {
    if (onUnreadable === undefined || !(error instanceof SessionError)) throw error;
    onUnreadable(error, folder);
    return [];
  }
}

async function matchAll(
  sessions: readonly SessionInfo[],
  reference: string,
  signal: AbortSignal | undefined,
): Promise<readonly SessionInfo[]> {
  const names = await hiddenNames(sessions, signal);
  return matchByIdOrName(sessions, reference, {
    nameOf: (info) => info.name ?? names.get(info),
    shownOf: ({ firstMessage }) => firstMessage,
  });
}

/** The name of a large file may be in its middle, which a list does not read. Once found, it is cached. */
async function hiddenNames(
  sessions: readonly SessionInfo[],
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<SessionInfo, string | undefined>> {
  const unread = sessions.filter((info) => !info.exact && info.name === undefined);
  const outcomes = await countWithin(unread.map(countable), defined({ cache: countsCacheFile(), signal }));
  return new Map(
    unread.map((info, i) => {
      const outcome = outcomes[i];
      return [info, outcome?.kind === "counted" ? outcome.counts.name : undefined];
    }),
  );
}
