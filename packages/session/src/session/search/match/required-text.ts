/** Pieces of text that every match of a regular expression contains. */

/** An escape for more than the character after the backslash, including its parameters. */
const LONG_ESCAPE =
  /\\(?:u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[pP]\{[^}]*\}|k<[^>]*>|c[a-zA-Z]|\d+|[a-zA-Z])/y;
const CLASS = /\[(?:\\.|[^\]\\])*\]/suy;
const QUANTIFIER = /(?:[*+?]|\{(\d+)(?:,\d*)?\})\??/y;

/**
 * Literal runs of a valid pattern (flag `u`) outside of groups, classes and optional parts; none if the pattern has
 * alternatives. Conservative: a piece is returned only if every match contains it.
 */
export function requiredText(source: string): string[] {
  const pieces: string[] = [];
  let piece = "";
  const finish = () => {
    if (piece !== "") pieces.push(piece);
    piece = "";
  };
  for (let at = 0; at < source.length; ) {
    const atom = atomAt(source, at);
    if (atom.text === "|") return [];
    const quantifier = matchAt(QUANTIFIER, source, atom.end);
    if (atom.literal === undefined || isOptional(quantifier)) finish();
    else {
      piece += atom.literal;
      // The text after a repetition need not follow its first occurrence.
      if (quantifier !== undefined) finish();
    }
    at = atom.end + (quantifier?.[0].length ?? 0);
  }
  finish();
  return pieces;
}

interface Atom {
  readonly text: string;
  readonly end: number;
  /** Set if the atom matches exactly this character. */
  readonly literal?: string;
}

function atomAt(source: string, at: number): Atom {
  const text = String.fromCodePoint(source.codePointAt(at) as number);
  const end = at + text.length;
  switch (text) {
    case "\\": {
      const long = matchAt(LONG_ESCAPE, source, at);
      if (long !== undefined) return { text: long[0], end: at + long[0].length };
      const literal = String.fromCodePoint(source.codePointAt(end) as number);
      return { text: text + literal, end: end + literal.length, literal };
    }
    case "[":
      return { text, end: at + (matchAt(CLASS, source, at)?.[0].length ?? 1) };
    case "(":
      return { text, end: groupEnd(source, at) };
    case "|":
    case ".":
    case "^":
    case "$":
      return { text, end };
    default:
      return { text, end, literal: text };
  }
}

function groupEnd(source: string, start: number): number {
  let depth = 0;
  for (let at = start; at < source.length; ) {
    const character = source[at];
    if (character === "\\") at += 2;
    else if (character === "[") at += matchAt(CLASS, source, at)?.[0].length ?? 1;
    else {
      if (character === "(") depth += 1;
      else if (character === ")") depth -= 1;
      at += 1;
      if (depth === 0) return at;
    }
  }
  return source.length;
}

function isOptional(quantifier: RegExpExecArray | undefined): boolean {
  if (quantifier === undefined) return false;
  const [text, least] = quantifier;
  return least === undefined ? !text.startsWith("+") : Number(least) === 0;
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}
