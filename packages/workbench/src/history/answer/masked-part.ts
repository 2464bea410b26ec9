/**
 * Masks a part of a long text as in the whole: scans it with the text around it, which is then removed again.
 *
 *     ...lead | part | tail...     a key that starts in the lead is masked in the part as well
 */

import { withWholeKeys } from "./whole-keys.js";

const AROUND = 4_096;

export interface TextPart {
  /** Texts to mask together. */
  readonly texts: readonly [all: string, lead: string, tail: string];
  /** Offset of the next part in the whole text; undefined at its end. */
  readonly next: number | undefined;
}

/** About `length` characters starting at `from`, up to the end of a word. */
export function textPart(text: string, { from, length }: { readonly from: number; readonly length: number }): TextPart {
  const start = Math.min(from, text.length);
  let end = Math.min(text.length, start + length);
  const last = Math.min(text.length, end + AROUND);
  while (end < last && !/\s/.test(text[end] as string)) end += 1;
  const around = withWholeKeys(text, { start: Math.max(0, start - AROUND), end: Math.min(text.length, end + AROUND) });
  const lead = text.slice(around.start, start);
  const tail = text.slice(end, around.end);
  return { texts: [lead + text.slice(start, end) + tail, lead, tail], next: end < text.length ? end : undefined };
}

/** Extracts the part from its three masked texts. */
export function maskedPart([all, lead, tail]: readonly [string, string, string]): string {
  let start = 0;
  while (start < lead.length && all[start] === lead[start]) start += 1;
  let end = 0;
  while (end < tail.length && end < all.length - start && all[all.length - 1 - end] === tail[tail.length - 1 - end])
    end += 1;
  return all.slice(start, all.length - end);
}
