/** Finds what was tried for files, an error or words: turns of all sessions, newest first, and how they ended. */
import type { Outcome, TurnFacts } from "../facts/facts.js";
import type { History, KnownSession } from "../store/history.js";
import { commonId } from "../store/source.js";
import { parseQuery, type Query } from "../words/query.js";
import { filterKeys, mayHold } from "../words/word-filter.js";
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
  /** Only attempts with one of these outcomes. */
  readonly outcomes?: readonly Outcome[] | undefined;
  readonly after?: Position | undefined;
  readonly limit: number;
  /** Milliseconds after which the results so far are returned. */
  readonly within: number;
}

export interface AttemptPage {
  readonly attempts: readonly Attempt[];
  readonly next: Position | undefined;
  /** True if nothing matched every word, and these match most of them. */
  readonly loose: boolean;
}

/** If no attempt has all words, this share of them is enough. */
const LEAST_PART = 0.6;

/**
 * Searches the facts of each turn first: its prompt, answer, files, commands, errors, labels and summary. If that finds
 * nothing, searches all text; if no turn has all words, returns those with most of them.
 */
export function findAttempts(history: History, request: AttemptRequest): AttemptPage {
  const wanted = wantedOf(request);
  const end = performance.now() + request.within;
  const exact = matching(history, request, { wanted, end });
  if (exact.attempts.length > 0 || request.after !== undefined) return { ...exact, loose: false };
  const said = fromWords(history, request, { wanted, end });
  if (said.length > 0) return { attempts: said, next: undefined, loose: false };
  if (wanted.query.terms.length === 0)
    return { attempts: mentions(history, request, { wanted, end }), next: undefined, loose: false };
  const most = nearest(history, request, { wanted, end });
  return { attempts: most, next: undefined, loose: most.length > 0 };
}

interface Wanted {
  readonly query: Query;
  /** Filter keys of each term. */
  readonly keysOf: readonly (readonly number[])[];
  readonly files: readonly string[];
}

/** Of an error, only words that would occur in it again are searched for. */
function wantedOf({ files = [], error, words = "" }: AttemptRequest): Wanted {
  const query = parseQuery(`${words} ${error === undefined ? "" : errorWords(error).join(" ")}`);
  return {
    query,
    keysOf: query.terms.map((term) => filterKeys([term])),
    files: files.map((file) => file.replace(/^\.\//, "").replaceAll("\\", "/")).filter(Boolean),
  };
}

const MOST_ERROR_WORDS = 10;
const STOP_WORDS: ReadonlySet<string> = new Set(
  "the and for with from that this was were has have not but are its into onto than then when while your you our out off at by in is it of on or to be as an no a i".split(
    " ",
  ),
);
const STACK_LINE = /^\s*(?:at\s|File ".*", line \d+|\d+:\s+0x|goroutine \d|#\d+\s)/;

/**
 * The words of an error that would occur in it again: no numbers, addresses, stack lines or stop words. At most ten, from
 * the first lines: what follows is usually a stack trace.
 */
function errorWords(error: string): readonly string[] {
  const words: string[] = [];
  for (const line of error.slice(0, 4_000).split("\n")) {
    if (STACK_LINE.test(line)) continue;
    for (const [word] of line.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu)) {
      const plain = word.replace(/^[_$]+|[_$]+$/g, "");
      if (plain.length < 3 || STOP_WORDS.has(plain.toLowerCase()) || /^[0-9a-f]{8,}$/i.test(plain)) continue;
      if (!words.includes(plain)) words.push(plain);
      if (words.length >= MOST_ERROR_WORDS) return words;
    }
  }
  return words;
}

interface Matching {
  readonly wanted: Wanted;
  /** Time at which to return the results so far. */
  readonly end: number;
}

/** Turns that match everything, newest first. */
function matching(history: History, request: AttemptRequest, { wanted, end }: Matching): Omit<AttemptPage, "loose"> {
  const { limit, after } = request;
  const { query, files } = wanted;
  const attempts: Attempt[] = [];
  const seen = new Set<string>();
  for (const session of filteredSessions(history, request)) {
    if (after !== undefined && isBefore(session, after)) continue;
    if (!mayHold(session.index.factsWords, query.keys)) continue;
    const below = after?.key === session.key ? after.at : Number.POSITIVE_INFINITY;
    const texts = query.terms.length === 0 ? [] : history.factsOf(session);
    for (const attempt of touching(session, files, below)) {
      if (query.terms.length > 0 && query.find(texts[attempt.at] ?? "") === undefined) continue;
      if (!isWanted(attempt, request, seen)) continue;
      const { modified, key } = session;
      const isLate = attempts.length > 0 && performance.now() > end;
      if (attempts.length >= limit || isLate) return { attempts, next: { modified, key, at: attempt.at + 1 } };
      attempts.push(attempt);
    }
  }
  return { attempts, next: undefined };
}

/** Turns that have most of the words, best match first, then newest. */
function nearest(history: History, request: AttemptRequest, { wanted, end }: Matching): Attempt[] {
  const { query, keysOf, files } = wanted;
  const found: { readonly attempt: Attempt; readonly count: number }[] = [];
  const seen = new Set<string>();
  let least = Math.max(1, Math.ceil(query.terms.length * LEAST_PART));
  for (const session of filteredSessions(history, request)) {
    if (performance.now() > end) break;
    const words = session.index.factsWords;
    if (keysOf.filter((keys) => mayHold(words, keys)).length < least) continue;
    const texts = history.factsOf(session);
    for (const attempt of touching(session, files, Number.POSITIVE_INFINITY)) {
      const count = query.count(texts[attempt.at] ?? "");
      if (count < least || !isWanted(attempt, request, seen)) continue;
      found.push({ attempt, count });
      // Once a page of better matches is found, ignore worse ones.
      if (found.filter((one) => one.count > least).length >= request.limit) least += 1;
    }
  }
  const best = found.sort((a, b) => b.count - a.count);
  return best.slice(0, request.limit).map(({ attempt }) => attempt);
}

/** Turns that touched any of the files, newest first. If some turns of the session changed them, only those. */
function* touching(session: KnownSession, files: readonly string[], below: number): Generator<Attempt> {
  const { turns } = session.facts;
  if (files.length > 0 && !files.some((file) => mayHold(session.index.factsWords, nameKeys(file)))) return;
  const how = files.length > 0 && turns.some((turn) => touches(turn, files, "changed")) ? "changed" : "any";
  for (let at = Math.min(turns.length, below) - 1; at >= 0; at--) {
    const turn = turns[at] as TurnFacts;
    if (files.length === 0 || touches(turn, files, how)) yield { session, turn, at };
  }
}

/** Whether its outcome is wanted and it was not returned already from an import of the same session. */
function isWanted({ session, turn }: Attempt, { outcomes }: AttemptRequest, seen: Set<string>): boolean {
  const name = `${commonId(session.agent, session.id)}#${turn.id}`;
  if (seen.has(name) || outcomes?.includes(turn.outcome) === false) return false;
  seen.add(name);
  return true;
}

/** Turns that contain the words anywhere in their text. */
function fromWords(history: History, request: AttemptRequest, { wanted, end }: Matching): Attempt[] {
  const { query, files } = wanted;
  const within = Math.max(0, end - performance.now());
  const { hits } = searchHistory(history, { ...request, query, limit: request.limit * 3, after: undefined, within });
  const attempts = new Map<string, Attempt>();
  for (const { session, row } of hits) {
    const turn = session.facts.turns[row.turn];
    if (turn === undefined || (files.length > 0 && !touches(turn, files, "any"))) continue;
    if (request.outcomes?.includes(turn.outcome) === false) continue;
    attempts.set(`${session.key} ${row.turn}`, { session, turn, at: row.turn });
  }
  return [...attempts.values()].slice(0, request.limit);
}

/** Turns that mention a file that no tool touched, in a command, an error or a prompt. */
function mentions(history: History, request: AttemptRequest, { wanted, end }: Matching): Attempt[] {
  const attempts = new Map<string, Attempt>();
  for (const file of wanted.files) {
    const query = parseQuery(file.split("/").filter(Boolean).slice(-2).join("/"));
    for (const attempt of fromWords(history, request, { wanted: { ...wanted, query, files: [] }, end })) {
      attempts.set(`${attempt.session.key} ${attempt.at}`, attempt);
    }
  }
  return [...attempts.values()].slice(0, request.limit);
}

/** Filter keys of the last path component, which every matching path contains. */
function nameKeys(file: string): readonly number[] {
  return filterKeys([file.replace(/\/+$/, "").split("/").at(-1) ?? ""]);
}

/**
 * Compares whole components from the end: `src/lex.ts` matches `/home/dev/app/src/lex.ts`, and `lex.ts` matches both.
 */
function touches({ changed, read }: TurnFacts, files: readonly string[], how: "changed" | "any"): boolean {
  const isOne = (path: string): boolean => files.some((file) => isSamePath(path, file));
  return changed.some(isOne) || (how === "any" && read.some(isOne));
}

function isSamePath(path: string, file: string): boolean {
  const [long, short] = path.length >= file.length ? [path, file] : [file, path];
  if (long === short || long.endsWith(`/${short.replace(/^\//, "")}`)) return true;
  // `file` may be a folder that contains the path.
  return path.includes(`/${file.replace(/^\/|\/$/g, "")}/`) || path.startsWith(`${file.replace(/\/$/, "")}/`);
}
