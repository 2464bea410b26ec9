/** `search`: entries that contain all words, where each one is, and its address for `open`. */

import { makeExcerpt } from "@bough/session/session/internal.js";
import { longAge } from "@bough/session/text/index.js";
import { maskTexts } from "../../export/index.js";
import type { History } from "../store/history.js";
import { parseQuery } from "../words/query.js";
import { type Answer, type AnswerOptions, coverageNotes, writeAnswer } from "./answer.js";
import { addressOf, placeWords, sessionWords } from "./describe.js";
import { type HistoryHit, searchHistory } from "./search-history.js";
import { positionCode, positionOf, type SessionFilter } from "./session-filter.js";
import { withWholeKeys } from "./whole-keys.js";

export interface SearchQuestion extends SessionFilter {
  readonly words: string;
  readonly roles?: readonly string[] | undefined;
  readonly cursor?: string | undefined;
}

const MOST_HITS = 14;
const EXCERPT = 160;
/** Characters on each side of a hit that are scanned for secrets: a secret that is cut in two is not recognized. */
const AROUND = 2_048;

export async function answerSearch(
  history: History,
  question: SearchQuestion,
  options: AnswerOptions,
): Promise<Answer> {
  const { refresh, search } = options.timeouts;
  await history.refresh(refresh);
  const query = parseQuery(question.words);
  const after = positionOf(question.cursor);
  const page = searchHistory(history, { ...question, query, after, limit: MOST_HITS, within: search });
  const excerpts = await excerptsOf(page.hits, (text) => query.find(text) ?? []);
  const now = options.now();
  let session = "";
  const blocks = page.hits.map((hit, at) => {
    const { row } = hit;
    const isNew = session !== hit.session.key;
    session = hit.session.key;
    const age = longAge(row.time, now.getTime());
    const lines = [
      ...(isNew ? [`## ${excerpts.titles[at]}`] : []),
      `${addressOf(hit.session, row.id)} · ${row.who} · ${age} · ${placeWords(row.place)}`,
      `  ${excerpts.texts[at]}`,
    ];
    return lines.join("\n");
  });
  return writeAnswer({
    head: "",
    blocks,
    nothing: page.outOfTime
      ? "Nothing found so far."
      : `No session has an entry with all of: ${query.terms.join(", ")}`,
    notes: coverageNotes(history),
    cursorAfter: (shown) => {
      const last = page.hits[shown - 1];
      if (shown === page.hits.length) return page.next === undefined ? undefined : positionCode(page.next);
      if (last === undefined) return undefined;
      return positionCode({ modified: last.session.modified, key: last.session.key, at: last.at });
    },
  });

  async function excerptsOf(
    hits: readonly HistoryHit[],
    find: (text: string) => readonly (readonly [number, number])[],
  ): Promise<{ readonly texts: readonly string[]; readonly titles: readonly string[] }> {
    const windows = hits.map(({ text, spans: [span] }) => windowAround(text, span ?? [0, 0]));
    const titles = hits.map((hit) => sessionWords(hit.session, options.now()));
    const masked = await maskTexts([...windows, ...titles]);
    const texts = masked.slice(0, hits.length).map((text) => {
      const spans = find(text);
      // If masking removed the match, show the middle.
      const middle = Math.min(AROUND, Math.floor(text.length / 2));
      return makeExcerpt(text, spans.length === 0 ? [[middle, middle]] : spans, EXCERPT).excerpt;
    });
    return { texts, titles: masked.slice(hits.length) };
  }
}

function windowAround(text: string, [start, end]: readonly [number, number]): string {
  const around = { start: Math.max(0, start - AROUND), end: Math.min(text.length, end + AROUND) };
  const whole = withWholeKeys(text, around);
  return text.slice(whole.start, whole.end);
}
