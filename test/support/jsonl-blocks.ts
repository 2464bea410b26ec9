/** A fenced `jsonl` block of a Markdown page. A word after `jsonl` says what is special about the block. */
export interface SampleBlock {
  readonly marks: readonly string[];
  /** Each line with its number in the page; the first line is 1. */
  readonly lines: readonly { readonly line: number; readonly text: string }[];
}

/** The `jsonl` blocks of a page, in order. Other blocks are passed over. */
export function jsonlBlocks(markdown: string): readonly SampleBlock[] {
  const blocks: SampleBlock[] = [];
  let lines: { line: number; text: string }[] | undefined;
  let fenced = false;
  for (const [index, text] of markdown.split("\n").entries()) {
    if (!text.startsWith("```")) {
      lines?.push({ line: index + 1, text });
      continue;
    }
    fenced = !fenced;
    lines = undefined;
    const [language, ...marks] = text.slice(3).split(" ");
    if (!fenced || language !== "jsonl") continue;
    lines = [];
    blocks.push({ marks, lines });
  }
  return blocks;
}
