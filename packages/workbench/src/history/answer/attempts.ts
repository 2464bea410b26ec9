/** Finds what was tried for files, an error or words: turns of all sessions, newest first, and how they ended. */
import type { Outcome, TurnFacts } from "../facts/facts.js";
import type { History, KnownSession } from "../store/history.js";
import { commonId } from "../store/source.js";
import { type IdeaTerm, ideaOf } from "../words/idea.js";
import { parseQuery, type Query } from "../words/query.js";
import { isStopWord } from "../words/stop-words.js";
import { filterKeys, mayHold } from "../words/word-filter.js";
import { type Nearest, nearestAttempts } from "./nearest-attempts.js";
import { searchHistory } from "./search-history.js";
import { filteredSessions, isBefore, type Position, type SessionFilter } from "./session-filter.js";

export interface Attempt {
  readonly session: KnownSession;
  readonly turn: TurnFacts;
  /** Number of the turn. */
  readonly at: number;
  /** For an attempt that does not have all words: those it has, or has a kindred word for. */
  readonly has?: readonly string[];
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
  /** Milliseconds. Default: the current time. */
  readonly now?: number | undefined;
}

export interface AttemptPage {
  /** Those that have all words, newest first; then, if they are few, those that come closest, best first. */
  readonly attempts: readonly Attempt[];
  readonly next: Position | undefined;
  /** Words that no session has, in any form. */
  readonly unknown: readonly string[];
  /** Whether some session has one of the words, even if none of its turns is an answer. */
  readonly isKnown: boolean;
  /** True if time ran out, so that there may be more. */
  readonly outOfTime: boolean;
}

/** With fewer attempts than this that have all words, close ones are added. */
const FEW = 3;

/**
 * Searches the facts of each turn first: its prompt, answer, files, commands, errors, labels and summary. If that finds
 * nothing, searches all text. If few turns have all words, adds those that come closest, best first.
 */
export function findAttempts(history: History, request: AttemptRequest): AttemptPage {
  const wanted = wantedOf(request);
  const search = { wanted, end: performance.now() + request.within };
  const exact = matching(history, request, search);
  const whole = { ...exact, unknown: [], isKnown: false, outOfTime: false };
  if (request.after !== undefined || exact.next !== undefined || exact.attempts.length >= FEW) return whole;
  const said = exact.attempts.length > 0 ? exact.attempts : fromWords(history, request, search);
  if (said.length >= FEW) return { ...whole, attempts: said };
  if (wanted.terms.length === 0) {
    return { ...whole, attempts: said.length > 0 ? said : mentions(history, request, search) };
  }
  const { attempts, unknown, outOfTime } = nearest(history, request, { ...search, besides: said });
  const isKnown = unknown.length < wanted.terms.length;
  return { attempts: [...said, ...attempts].slice(0, request.limit), next: undefined, unknown, isKnown, outOfTime };
}

interface Wanted {
  readonly query: Query;
  /** The same words, each with its other forms. */
  readonly terms: readonly IdeaTerm[];
  readonly files: readonly string[];
}

/** Of an error, only words that would occur in it again are searched for. */
function wantedOf({ files = [], error, words = "" }: AttemptRequest): Wanted {
  const { exact, terms } = ideaOf(`${words} ${error === undefined ? "" : errorWords(error).join(" ")}`);
  return {
    query: parseQuery(exact.map((text) => (text.includes(" ") ? `"${text}"` : text)).join(" ")),
    terms,
    files: files.map((file) => file.replace(/^\.\//, "").replaceAll("\\", "/")).filter(Boolean),
  };
}

const MOST_ERROR_WORDS = 10;
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
      if (plain.length < 3 || isStopWord(plain.toLowerCase()) || /^[0-9a-f]{8,}$/i.test(plain)) continue;
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
function matching(
  history: History,
  request: AttemptRequest,
  { wanted, end }: Matching,
): Pick<AttemptPage, "attempts" | "next"> {
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

/** Turns that come closest to the words, besides those found already. */
function nearest(
  history: History,
  request: AttemptRequest,
  { wanted, end, besides }: Matching & { readonly besides: readonly Attempt[] },
): Nearest {
  const seen = new Set(besides.map(nameOf));
  return nearestAttempts(wanted.terms, {
    history,
    sessions: filteredSessions(history, request),
    turnsOf: (session) =>
      [...touching(session, wanted.files, Number.POSITIVE_INFINITY)].filter((one) => isWanted(one, request, seen)),
    limit: request.limit,
    end,
  });
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

/**
 * Whether it can be an answer: its outcome is wanted, it is not the turn that asks, and it was not returned already from
 * an import of the same session.
 */
function isWanted(attempt: Attempt, request: AttemptRequest, seen: Set<string>): boolean {
  const name = nameOf(attempt);
  const { turn } = attempt;
  if (seen.has(name) || request.outcomes?.includes(turn.outcome) === false) return false;
  if (isRunning(attempt, request.now ?? Date.now())) return false;
  seen.add(name);
  return true;
}

const JUST_NOW = 60_000;
/** A turn that was not ended and whose session was not written to for this long was killed. */
const STILL_RUNS = 3_600_000;

/** Whether it is still running, began within the last minute, or is a prompt without an answer. */
function isRunning({ session, turn }: Attempt, now: number): boolean {
  if (Math.abs(now - turn.time) < JUST_NOW) return true;
  if (turn.open !== true) return false;
  const { answer, changed, read, check, errors } = turn;
  const isBare = answer === "" && changed.length + read.length + errors.length === 0 && check === undefined;
  const isLast = session.facts.turns.every(({ time }) => time <= turn.time);
  return isBare || (isLast && Math.abs(now - session.modified) < STILL_RUNS);
}

function nameOf({ session, turn }: Attempt): string {
  return `${commonId(session.agent, session.id)}#${turn.id}`;
}

/** Turns that contain the words anywhere in their text. */
function fromWords(history: History, request: AttemptRequest, { wanted, end }: Matching): Attempt[] {
  const { query, files } = wanted;
  const within = Math.max(0, end - performance.now());
  const { hits } = searchHistory(history, { ...request, query, limit: request.limit * 3, after: undefined, within });
  const attempts = new Map<string, Attempt>();
  const seen = new Set<string>();
  for (const { session, row } of hits) {
    const turn = session.facts.turns[row.turn];
    if (turn === undefined || (files.length > 0 && !touches(turn, files, "any"))) continue;
    const name = `${session.key} ${row.turn}`;
    const attempt = { session, turn, at: row.turn };
    if (!attempts.has(name) && isWanted(attempt, request, seen)) attempts.set(name, attempt);
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
  return filterKeys([lastName(file)]);
}

/**
 * Compares whole components from the end: `src/lex.ts` matches `/home/dev/app/src/lex.ts`, and `lex.ts` matches both.
 */
function touches({ changed, read }: TurnFacts, files: readonly string[], how: "changed" | "any"): boolean {
  const isOne = (path: string): boolean => files.some((file) => isSamePath(path, file));
  return changed.some(isOne) || (how === "any" && read.some(isOne));
}

function isSamePath(path: string, file: string): boolean {
  // Most paths are others, and this is asked for every path of every turn.
  const name = lastName(file);
  if (!path.includes(name) && !file.endsWith(path.slice(path.lastIndexOf("/") + 1))) return false;
  const [long, short] = path.length >= file.length ? [path, file] : [file, path];
  if (long === short || long.endsWith(`/${short.replace(/^\//, "")}`)) return true;
  // `file` may be a folder that contains the path.
  return path.includes(`/${file.replace(/^\/|\/$/g, "")}/`) || path.startsWith(`${file.replace(/\/$/, "")}/`);
}

/** The last component of a path. */
function lastName(path: string): string {
  const end = path.endsWith("/") ? path.length - 1 : path.length;
  return path.slice(path.lastIndexOf("/", end - 1) + 1, end);
}
