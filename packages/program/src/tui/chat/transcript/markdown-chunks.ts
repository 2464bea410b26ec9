/** Splits Markdown into pieces that can be drawn one by one, so that a growing answer redraws only its last piece. */

export interface MarkdownChunk {
  readonly kind: "markdown" | "plain";
  readonly text: string;
}

/** Above these, parsing takes quadratic time or worse, so the piece is shown as plain text. */
const MOST_CHARACTERS = 16_000;
const MOST_BRACKETS = 300;
const MOST_STARS = 600;

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
/** A line that certainly starts a new block: not indented, and not part of a list, quote or table that may continue. */
const NEW_PIECE = /^(?:#{1,6} |`{3,}|~{3,}|[^\s\-*+>|\d])/;

/** Pieces end at blank lines outside code. The same text gives the same pieces, whatever follows it. */
export function markdownChunks(text: string): readonly MarkdownChunk[] {
  const chunks: MarkdownChunk[] = [];
  let lines: string[] = [];
  let fence: string | undefined;
  let blank = false;
  const finish = (): void => {
    const chunk = lines.join("\n").replace(/^\n+|\n+$/g, "");
    if (chunk !== "") chunks.push({ kind: kindOf(chunk), text: chunk });
    lines = [];
  };
  for (const line of text.split("\n")) {
    if (fence === undefined && blank && NEW_PIECE.test(line)) finish();
    const mark = FENCE.exec(line)?.[1];
    if (mark !== undefined) {
      if (fence === undefined) fence = mark;
      else if (mark.startsWith(fence) && line.trim() === mark) fence = undefined;
    }
    blank = line.trim() === "";
    lines.push(line);
  }
  finish();
  return chunks;
}

function kindOf(chunk: string): MarkdownChunk["kind"] {
  if (FENCE.test(chunk)) return "markdown";
  if (chunk.length > MOST_CHARACTERS) return "plain";
  let brackets = 0;
  let stars = 0;
  for (const character of chunk) {
    if (character === "[" || character === "<") brackets++;
    else if (character === "*" || character === "_" || character === "`") stars++;
  }
  return brackets > MOST_BRACKETS || stars > MOST_STARS ? "plain" : "markdown";
}
