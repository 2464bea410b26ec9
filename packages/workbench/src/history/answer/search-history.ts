/** Searches the text of all sessions, newest first. */
import type { EntryRow } from "../facts/read-session.js";
import type { History, KnownSession } from "../store/history.js";
import type { IndexChunk } from "../store/index-file.js";
import { commonId } from "../store/source.js";
import type { Query } from "../words/query.js";
import { mayHold } from "../words/word-filter.js";
import { filteredSessions, isBefore, type Position, type SessionFilter } from "./session-filter.js";

export interface HistoryHit {
  readonly session: KnownSession;
  readonly row: EntryRow;
  /** Number of the row. */
  readonly at: number;
  readonly text: string;
  /** Ranges of the words in the text. */
  readonly spans: readonly (readonly [start: number, end: number])[];
}

export interface SearchRequest extends SessionFilter {
  readonly query: Query;
  /** Only entries with one of these roles, or types if they are not messages. */
  readonly roles?: readonly string[] | undefined;
  readonly after?: Position | undefined;
  readonly limit: number;
  /** Milliseconds after which the results so far are returned. */
  readonly within: number;
}

export interface HitPage {
  readonly hits: readonly HistoryHit[];
  /** Where to continue; undefined at the end. */
  readonly next: Position | undefined;
  /** True if time ran out before a full page was found. */
  readonly outOfTime: boolean;
}

/** Entries that contain all words. An entry that exists both in a session and in its import is returned once. */
export function searchHistory(history: History, request: SearchRequest): HitPage {
  const { query, after, limit, within } = request;
  const end = performance.now() + within;
  const hits: HistoryHit[] = [];
  const seen = new Set<string>();
  if (query.terms.length === 0) return { hits, next: undefined, outOfTime: false };
  for (const session of filteredSessions(history, request)) {
    if (after !== undefined && isBefore(session, after)) continue;
    const { modified, key, index } = session;
    const below = after?.key === key ? after.at : Number.POSITIVE_INFINITY;
    for (let c = index.chunks.length - 1; c >= 0; c--) {
      const chunk = index.chunks[c] as IndexChunk;
      if (chunk.firstRow >= below || !mayHold(chunk.words, query.keys)) continue;
      if (performance.now() > end) {
        return { hits, next: { modified, key, at: Math.min(below, chunk.firstRow + chunk.rows) }, outOfTime: true };
      }
      for (const hit of hitsIn(history, { session, chunk, request, below })) {
        const name = `${commonId(session.agent, session.id)}#${hit.row.id}`;
        if (seen.has(name)) continue;
        if (hits.length >= limit) return { hits, next: { modified, key, at: hit.at + 1 }, outOfTime: false };
        seen.add(name);
        hits.push(hit);
      }
    }
  }
  return { hits, next: undefined, outOfTime: false };
}

interface ChunkSearch {
  readonly session: KnownSession;
  readonly chunk: IndexChunk;
  readonly request: SearchRequest;
  readonly below: number;
}

/** Newest first. No hits if the index was replaced in the meantime; the next search uses the new one. */
function* hitsIn(history: History, { session, chunk, request, below }: ChunkSearch): Generator<HistoryHit> {
  let texts: readonly string[];
  let rows: readonly EntryRow[] | undefined;
  try {
    texts = history.textsOf(session, chunk);
  } catch {
    return;
  }
  for (let i = Math.min(texts.length, below - chunk.firstRow) - 1; i >= 0; i--) {
    const text = texts[i] as string;
    const spans = request.query.find(text);
    if (spans === undefined) continue;
    rows ??= rowsIn(history, session);
    const at = chunk.firstRow + i;
    const row = rows[at];
    if (row === undefined || (request.roles !== undefined && !request.roles.includes(row.who))) continue;
    yield { session, row, at, text, spans };
  }
}

function rowsIn(history: History, session: KnownSession): readonly EntryRow[] {
  try {
    return history.rowsOf(session);
  } catch {
    return [];
  }
}
