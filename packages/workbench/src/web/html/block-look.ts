/** How blocks are to look: what is open, how much of a long text is shown, whether there are pictures. */
import type { Highlight } from "./safe-markdown.js";

export interface BlockLook {
  /** Whether something that folds is open. */
  isOpen(blockId: string, kind: FoldingKind): boolean;
  /** Characters of a text and of a tool's output that are shown at first. */
  limits(blockId: string): { readonly text: number; readonly output: number };
  readonly more: "more" | "no-more";
  readonly images: "pictures" | "words";
  /** `lazy`: what is folded is omitted until it is opened. */
  readonly folded: "lazy" | "whole";
  readonly highlight?: Highlight;
}

/** What folds. */
export type FoldingKind = "thinking" | "tool" | "shell" | "note" | "files";
