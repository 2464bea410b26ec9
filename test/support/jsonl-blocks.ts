/** A fenced `jsonl` block of a Markdown page. Words after `jsonl` name the problems that reading the block reports. */
export interface SampleBlock {
  readonly problems: readonly string[];
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
    const [language, ...problems] = text.slice(3).split(" ");
    if (!fenced || language !== "jsonl") continue;
    lines = [];
    blocks.push({ problems, lines });
  }
  return blocks;
}
