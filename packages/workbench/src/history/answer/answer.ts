/** Answers for other programs: at most 4 KB of text, with secrets masked by the caller. */
import { counted, withoutControls } from "@bough/session/text/index.js";
import type { BlobSource } from "../../checkpoint/index.js";
import type { Coverage, History } from "../store/history.js";

/** In bytes of UTF-8. */
export const MOST_ANSWER = 4_096;

export interface Answer {
  readonly text: string;
  /** Number of results in the text. */
  readonly found: number;
  /** Requests the next page, if there is one. */
  readonly cursor?: string;
}

export interface AnswerOptions {
  readonly now: () => Date;
  /** Maximum milliseconds to wait for new sessions to be indexed, and to search. */
  readonly timeouts: { readonly refresh: number; readonly search: number };
  /** Where contents of files come from that are missing on this machine. */
  readonly contents?: BlobSource | undefined;
  /** Maximum bytes of an answer. Default 4,096. */
  readonly most?: number;
}

interface AnswerParts {
  /** Shown above the results. */
  readonly head: string;
  readonly blocks: readonly string[];
  /** Shown if there are no results. */
  readonly nothing: string;
  /** The cursor after the given number of blocks; undefined at the end. */
  readonly cursorAfter: (shown: number) => string | undefined;
  readonly notes?: readonly string[];
  readonly most?: number | undefined;
}

/** Writes as many blocks as fit, and at least one, which is truncated if it is too long alone. */
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
  // Reserve room for the longest possible cursor.
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

/** Maximum bytes of a reason in a note. */
const MOST_REASON = 200;

/** Notes about what an answer does not cover, or not yet. */
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

/** Truncates to a number of bytes, at a character boundary. */
export function cutBytes(text: string, most: number): string {
  if (bytesOf(text) <= most) return text;
  const bytes = Buffer.from(text).subarray(0, most - 3);
  return `${bytes.toString("utf8").replace(/\uFFFD+$/, "")}…`;
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}
