/** An answer for another program: text of at most 4 KB, with what is said in sessions masked. */
import { counted, withoutControls } from "@bough/session/text/index.js";
import type { Coverage, History } from "../store/history.js";

/** Bytes of UTF-8. */
export const MOST_ANSWER = 4_096;

export interface Answer {
  readonly text: string;
  /** How many things were found and are told. */
  readonly found: number;
  /** Asks for more, where there is more. */
  readonly cursor?: string;
}

export interface AnswerOptions {
  readonly now: () => Date;
  /** Milliseconds to wait for new sessions to be indexed, and to look for an answer. */
  readonly patience: { readonly refresh: number; readonly search: number };
  /** Bytes of the longest answer. Default 4,096. */
  readonly most?: number;
}

interface AnswerParts {
  /** Said when there is something to tell. */
  readonly head: string;
  readonly blocks: readonly string[];
  /** Said when there is nothing. */
  readonly nothing: string;
  /** What asks for more after the given number of blocks; undefined where there is no more. */
  readonly cursorAfter: (shown: number) => string | undefined;
  readonly notes?: readonly string[];
  readonly most?: number | undefined;
}

/** As many blocks as fit, at least one, cut where it is too long alone. */
export function writeAnswer({
  head,
  blocks,
  nothing,
  cursorAfter,
  notes = [],
  most = MOST_ANSWER,
}: AnswerParts): Answer {
  const end = notes.map((note) => `\n\n${note}`).join("");
  if (blocks.length === 0) return { text: cutBytes(`${nothing}${end}`, most), found: 0 };
  // The longest cursor there is, so that what is left is known before.
  const reserved = bytesOf(end) + 260;
  let text = head;
  let shown = 0;
  for (const block of blocks) {
    const next = `${text}${text === "" ? "" : "\n\n"}${block}`;
    if (bytesOf(next) > most - reserved) {
      if (shown > 0) break;
      text = cutBytes(next, most - reserved);
    } else text = next;
    shown += 1;
  }
  const cursor = cursorAfter(shown);
  const more =
    cursor === undefined ? "" : `\n\nThere is more. Call again with the same arguments and cursor: ${cursor}`;
  return { text: `${text}${end}${more}`, found: shown, ...(cursor === undefined ? {} : { cursor }) };
}

/** Bytes of a reason in a note. */
const MOST_REASON = 200;

/** What an answer does not cover, or not yet. */
export function coverageNotes({ coverage }: Pick<History, "coverage">): string[] {
  const { waiting, problems, closed } = coverage;
  const notes: string[] = [];
  if (waiting > 0) notes.push(`Note: ${waiting} new or changed sessions are still being indexed; ask again for those.`);
  const because = ([first]: Coverage["problems"]) => cutBytes(withoutControls(first?.reason ?? ""), MOST_REASON);
  if (problems.length > 0)
    notes.push(`Note: ${counted(problems.length, "session")} could not be indexed (${because(problems)}).`);
  if (closed.length > 0)
    notes.push(`Note: ${counted(closed.length, "folder")} of sessions could not be read (${because(closed)}).`);
  return notes;
}

/** Cut at a whole character. */
export function cutBytes(text: string, most: number): string {
  if (bytesOf(text) <= most) return text;
  const bytes = Buffer.from(text).subarray(0, most - 3);
  return `${bytes.toString("utf8").replace(/\uFFFD+$/, "")}…`;
}

export function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}
