/** The building blocks of views: lines of spans, each with a tone. The caller decides what a tone looks like. */

/** What a span means, never how it looks. */
export type Tone =
  | "text"
  | "muted"
  /** The leaf, "you are here". */
  | "here"
  /** Keys in hints, links, search matches. */
  | "accent"
  /** Compactions, summaries, merges. */
  | "note"
  /** Messages of extensions. */
  | "custom"
  | "bad"
  | "good"
  | "label"
  | "strong"
  /** The selected row; overrides all other tones in it. */
  | "select";

export interface Span {
  readonly text: string;
  readonly tone: Tone;
}

/** One line of a screen or page. Its text has no control characters and no newline. */
export type Line = readonly Span[];

/** A part of a line in one tone. */
export function span(text: string, tone: Tone = "text"): Span {
  return { text, tone };
}

/** The text of a line, without tones. */
export function lineText(line: Line): string {
  return line.map(({ text }) => text).join("");
}
