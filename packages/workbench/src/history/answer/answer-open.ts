/** `open`: one entry in full, with the entries before and after it on its branch. */

import { SessionError } from "@bough/session/session/index.js";
import { longAge } from "@bough/session/text/index.js";
import { maskTexts } from "../../export/index.js";
import { cutWords } from "../facts/cut-words.js";
import type { EntryRow } from "../facts/read-session.js";
import type { History, KnownSession } from "../store/history.js";
import type { IndexChunk } from "../store/index-file.js";
import { type Answer, type AnswerOptions, cutBytes, MOST_ANSWER } from "./answer.js";
import { addressOf, branchWords, outcomeWords, placeWords, sessionWords } from "./describe.js";
import { maskedPart, textPart } from "./masked-part.js";
import { isNamed } from "./session-filter.js";
import { withWholeKeys } from "./whole-keys.js";

export interface OpenQuestion {
  /** `session#entry`. Default entry: the last one on the active path. */
  readonly address: string;
  /** Continues the text of a long entry. */
  readonly cursor?: string | undefined;
}

const NEAR = 3;
const NEAR_LENGTH = 180;
/** Length of the entry's text per answer, in characters and in bytes. */
const PART = 1_500;
const MOST_PART = 2_200;
const LEAST_START = 4;

export async function answerOpen(history: History, question: OpenQuestion, options: AnswerOptions): Promise<Answer> {
  await history.refresh(options.timeouts.refresh);
  const { session, entry } = placeOf(history, question.address);
  const rows = history.rowsOf(session);
  const at = rowNamed(rows, entry, session);
  const row = rows[at] as EntryRow;
  const from = startOf(question.cursor);
  const now = options.now();
  const before = above(rows, at).map((n) => nearText(n));
  const after = below(rows, at).map((n) => nearText(n));
  const turn = session.facts.turns[row.turn];
  const part = textPart(textOf(at), { from, length: PART });
  const [head = "", all = "", lead = "", tail = "", ...near] = await maskTexts([
    [
      sessionWords(session, now),
      `${addressOf(session, row.id)} · ${row.who} · ${longAge(row.time, now.getTime())} · ${placeWords(row.place)}`,
      ...(turn === undefined ? [] : [`${branchWords(session, turn.branch)} · ${outcomeWords(turn)}`]),
    ].join("\n"),
    ...part.texts,
    ...before,
    ...after,
  ]);
  const nearBefore = near.slice(0, before.length).map(shortened);
  const nearAfter = near.slice(before.length).map(shortened);
  const text = cutBytes(maskedPart([all, lead, tail]), MOST_PART);
  const cursor = part.next === undefined ? undefined : `text:${part.next}`;
  const lines = [
    head,
    ...(from > 0 || nearBefore.length === 0 ? [] : ["", "Before:", ...nearBefore]),
    "",
    `${row.who}${from > 0 ? `, from character ${from}` : ""}:`,
    text === "" ? "(no text)" : text,
    ...(from > 0 || nearAfter.length === 0 ? [] : ["", "After:", ...nearAfter]),
    ...(cursor === undefined ? [] : ["", `The text continues. Call again with the same address and cursor: ${cursor}`]),
  ];
  return { text: cutBytes(lines.join("\n"), MOST_ANSWER), found: 1, ...(cursor === undefined ? {} : { cursor }) };

  function textOf(n: number): string {
    const { chunks } = session.index;
    const chunk = chunks.find(({ firstRow, rows: count }) => n >= firstRow && n < firstRow + count);
    return chunk === undefined ? "" : (history.textsOf(session, chunk as IndexChunk)[n - chunk.firstRow] ?? "");
  }

  /** More text than is shown: it is shortened after secrets are masked. */
  function nearText(n: number): string {
    const { id, who } = rows[n] as EntryRow;
    const text = textOf(n);
    return `  ${addressOf(session, id)} ${who}: ${text.slice(0, withWholeKeys(text, { start: 0, end: 4_096 }).end)}`;
  }
}

function shortened(text: string): string {
  return `  ${cutWords(text, NEAR_LENGTH)}`;
}

/** Looks only among the indexed sessions: an address is never opened as a path. */
function placeOf(
  history: Pick<History, "sessions">,
  address: string,
): { readonly session: KnownSession; readonly entry: string | undefined } {
  const cut = address.lastIndexOf("#");
  const [name, entry] = cut < 0 ? [address, undefined] : [address.slice(0, cut), address.slice(cut + 1)];
  const exact = history.sessions.filter(({ reference, id }) => reference === name || id === name);
  const found = exact.length > 0 ? exact : history.sessions.filter((session) => isNamed(session, name));
  const [session] = found;
  if (session === undefined) {
    throw new SessionError("session-not-found", `Session not found: ${cutWords(name, 80)}`, {
      hint: "Take an address from search, tried or sessions.",
    });
  }
  if (found.length > 1 && exact.length === 0) {
    throw new SessionError("session-not-found", `Several sessions match ${cutWords(name, 80)}`, {
      hint: `Give more of the ID: ${found
        .slice(0, 4)
        .map(({ reference }) => reference)
        .join(", ")}`,
    });
  }
  return { session, entry: entry === "" ? undefined : entry };
}

function rowNamed(rows: readonly EntryRow[], entry: string | undefined, session: KnownSession): number {
  if (entry === undefined) {
    const last = rows.findLastIndex(({ place, turn }) => place === "active" && turn >= 0);
    if (last >= 0) return last;
  }
  const exact = rows.findIndex(({ id }) => id === entry);
  if (exact >= 0) return exact;
  const started =
    entry === undefined || entry.length < LEAST_START
      ? []
      : rows.flatMap(({ id }, at) => (id.startsWith(entry) ? [at] : []));
  const [only, second] = started;
  if (only !== undefined && second === undefined) return only;
  throw new SessionError("entry-not-found", `Entry not found in session ${session.reference}`, {
    hint: "Take an address from search or tried; open without #entry shows the end of the session.",
  });
}

/** The nearest rows above it, oldest first. */
function above(rows: readonly EntryRow[], at: number): number[] {
  const found: number[] = [];
  for (let n = rows[at]?.above ?? -1; n >= 0 && found.length < NEAR; n = rows[n]?.above ?? -1) found.push(n);
  return found.reverse();
}

/** The rows below it. At a fork, follows the active path, or else the newest child. */
function below(rows: readonly EntryRow[], at: number): number[] {
  const found: number[] = [];
  for (let n = at; found.length < NEAR; ) {
    let next = -1;
    for (let child = n + 1; child < rows.length; child++) {
      if (rows[child]?.above !== n) continue;
      next = child;
      if (rows[child]?.place !== "left") break;
    }
    if (next < 0) break;
    found.push(next);
    n = next;
  }
  return found;
}

function startOf(cursor: string | undefined): number {
  const [, digits] = /^text:(\d{1,9})$/.exec(cursor ?? "") ?? [];
  return digits === undefined ? 0 : Number(digits);
}
