/** How to render blocks: what is open, how much of a long text is shown, and whether images are shown. */
import type { Highlight } from "./safe-markdown.js";

export interface BlockLook {
  /** Whether a foldable block is open. */
  isOpen(blockId: string, kind: FoldingKind): boolean;
  /** How many characters of a text and of a tool's output to show at first. */
  limits(blockId: string): { readonly text: number; readonly output: number };
  readonly more: "more" | "no-more";
  readonly images: "pictures" | "words";
  /** `lazy`: folded content is omitted until it is opened. */
  readonly folded: "lazy" | "whole";
  readonly highlight?: Highlight;
}

/** Kinds of blocks that can be folded. */
export type FoldingKind = "thinking" | "tool" | "shell" | "note" | "files";
