/** What was tried for some files, for an error or for some words: turns of all sessions, newest first, and how they ended. */
import type { Outcome, TurnFacts } from "../facts/facts.js";
import { factsText } from "../facts/turn-text.js";
import type { History, KnownSession } from "../store/history.js";
import { commonId } from "../store/source.js";
import { parseQuery, type Query } from "../words/query.js";
import { mayHold } from "../words/word-filter.js";
import { errorWords } from "./error-words.js";
import { searchHistory } from "./search-history.js";
import { filteredSessions, isBefore, type Position, type SessionFilter } from "./session-filter.js";

export interface Attempt {
  readonly session: KnownSession;
  readonly turn: TurnFacts;
  /** Number of the turn. */
  readonly at: number;
}

export interface AttemptRequest extends SessionFilter {
  readonly files?: readonly string[] | undefined;
  readonly error?: string | undefined;
  readonly words?: string | undefined;
  /** Only attempts that ended in one of these ways. */
  readonly outcomes?: readonly Outcome[] | undefined;
  readonly after?: Position | undefined;
  readonly limit: number;
  /** Milliseconds after which what was found is returned. */
  readonly within: number;
}

export interface AttemptPage {
  readonly attempts: readonly Attempt[];
  readonly next: Position | undefined;
  /** Whether nothing matched all of it, and these match most of it. */
  readonly loose: boolean;
}

/** A part of the words is enough where no attempt has all of them. */
const LEAST_PART = 0.6;

/**
 * First by what is known of each turn: its prompt, answer, files, commands, errors, labels and summary. Where that finds
 * nothing, by everything that was said; and where no turn has all words, those with most of them.
 */
export function findAttempts(history: History, request: AttemptRequest): AttemptPage {
  const wanted = wantedOf(request);
  const exact = matching(history, request, { wanted, least: wanted.query.terms.length });
  if (exact.attempts.length > 0 || request.after !== undefined) return { ...exact, loose: false };
  if (wanted.query.terms.length === 0) return { ...exact, loose: false };
  const said = fromWords(history, request, wanted);
  if (said.length > 0) return { attempts: said, next: undefined, loose: false };
  const { length } = wanted.query.terms;
  for (let least = length - 1; least >= Math.max(1, Math.ceil(length * LEAST_PART)); least--) {
    const loose = matching(history, request, { wanted, least });
    if (loose.attempts.length > 0) return { ...loose, loose: true };
  }
  return { attempts: [], next: undefined, loose: false };
}

interface Wanted {
  readonly query: Query;
  readonly files: readonly string[];
}

/** The words of an error are those that would be in it again. */
function wantedOf({ files = [], error, words = "" }: AttemptRequest): Wanted {
  const query = parseQuery(`${words} ${error === undefined ? "" : errorWords(error).join(" ")}`);
  return { query, files: files.map((file) => file.replace(/^\.\//, "").replaceAll("\\", "/")).filter(Boolean) };
}

interface MatchOptions {
  readonly wanted: Wanted;
  /** How many of the words a turn has to have. */
  readonly least: number;
}

function matching(history: History, request: AttemptRequest, options: MatchOptions): Omit<AttemptPage, "loose"> {
  const { limit, after, within } = request;
  const end = performance.now() + within;
  const attempts: Attempt[] = [];
  const seen = new Set<string>();
  for (const session of filteredSessions(history, request)) {
    if (after !== undefined && isBefore(session, after)) continue;
    const below = after?.key === session.key ? after.at : Number.POSITIVE_INFINITY;
    for (const attempt of matchesIn(session, { ...options, below })) {
      const { turn, at } = attempt;
      const name = `${commonId(session.agent, session.id)}#${turn.id}`;
      if (seen.has(name) || request.outcomes?.includes(turn.outcome) === false) continue;
      const { modified, key } = session;
      if (attempts.length >= limit || performance.now() > end) return { attempts, next: { modified, key, at: at + 1 } };
      seen.add(name);
      attempts.push(attempt);
    }
  }
  return { attempts, next: undefined };
}

function* matchesIn(
  session: KnownSession,
  { wanted: { query, files }, least, below }: MatchOptions & { readonly below: number },
): Generator<Attempt> {
  const { facts, index } = session;
  const isWhole = least === query.terms.length;
  if (isWhole && !mayHold(index.factsWords, query.keys)) return;
  if (files.length > 0 && !facts.turns.some((turn) => touches(turn, files, "any"))) return;
  const how = facts.turns.some((turn) => touches(turn, files, "changed")) ? "changed" : "any";
  const texts = query.terms.length === 0 ? [] : factsText(facts);
  for (let at = Math.min(facts.turns.length, below) - 1; at >= 0; at--) {
    const turn = facts.turns[at] as TurnFacts;
    if (files.length > 0 && !touches(turn, files, how)) continue;
    const text = texts[at] ?? "";
    if (isWhole ? query.terms.length > 0 && query.find(text) === undefined : query.count(text) < least) continue;
    yield { session, turn, at };
  }
}

/** Turns in which the words were said anywhere. */
function fromWords(history: History, request: AttemptRequest, { query, files }: Wanted): Attempt[] {
  const { hits } = searchHistory(history, { ...request, query, limit: request.limit * 3, after: undefined });
  const attempts = new Map<string, Attempt>();
  for (const { session, row } of hits) {
    const turn = session.facts.turns[row.turn];
    if (turn === undefined || (files.length > 0 && !touches(turn, files, "any"))) continue;
    if (request.outcomes?.includes(turn.outcome) === false) continue;
    attempts.set(`${session.key} ${row.turn}`, { session, turn, at: row.turn });
  }
  return [...attempts.values()].slice(0, request.limit);
}

/** By whole parts of the path from its end: `src/lex.ts` is `/home/dev/app/src/lex.ts`, and `lex.ts` is both. */
function touches({ changed, read }: TurnFacts, files: readonly string[], how: "changed" | "any"): boolean {
  const known = how === "changed" ? changed : [...changed, ...read];
  return known.some((path) => files.some((file) => isSamePath(path, file)));
}

function isSamePath(path: string, file: string): boolean {
  const [long, short] = path.length >= file.length ? [path, file] : [file, path];
  if (long === short || long.endsWith(`/${short.replace(/^\//, "")}`)) return true;
  // A folder that was asked for.
  return path.includes(`/${file.replace(/^\/|\/$/g, "")}/`) || path.startsWith(`${file.replace(/\/$/, "")}/`);
}
