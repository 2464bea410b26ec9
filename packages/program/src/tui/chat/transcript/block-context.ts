/** What is needed to draw a block. */

import type { MessageRenderer } from "@bough/agent/extension/index.js";
import type { PaintTone } from "@bough/agent/terminal/index.js";
import { fitted } from "@bough/agent/terminal/index.js";
import type { CustomEntry } from "@bough/session/entry/index.js";
import type { Glyphs, ToolBlock, TranscriptBlock } from "@bough/session/view/index.js";
import { cutToWidth } from "@bough/session/view/internal.js";
import type { Theme } from "../../theme/theme.js";
import type { LiveTool } from "../live/live-tail.js";
import type { DrawnLine } from "./drawn-line.js";
import type { FoldKind } from "./folds.js";
import type { MarkdownLines } from "./markdown-lines.js";

export interface BlockContext {
  readonly theme: Theme;
  readonly glyphs: Glyphs;
  readonly width: number;
  /** Increases when theme, symbols or keys change, which makes anything painted before obsolete. */
  readonly look: number;
  /** Milliseconds. */
  readonly now: number;
  /** A note below gives advice about the failure. */
  readonly isAdvised?: boolean;
  /** The conversation goes on below the block, so what to do next is no question any more. */
  readonly isPast?: boolean;
  /** A panel shows the progress of a summary. */
  readonly progressElsewhere?: boolean;
  readonly markdown: MarkdownLines;
  readonly images: "draw" | "name";
  /** The label shown instead of folded thinking. Default: its first words. */
  readonly thinkingLabel?: string | undefined;
  /** The keys of an action, as hints show them. */
  readonly hint: (actionId: string) => string;
  readonly isOpen: (id: string, kind: FoldKind) => boolean;
  /** The call while it runs. */
  readonly running: (callId: string) => LiveTool | undefined;
  /** Renderers of extensions. */
  readonly drawers?: BlockDrawers | undefined;
  readonly renderer: (customType: string) => MessageRenderer | undefined;
  /** An extension's renderer failed. Reported once for each kind of message. */
  readonly rendererFailed: (customType: string, error: unknown) => void;
}

/** Renderers of extensions, if there are any. */
export interface BlockDrawers {
  tool(block: ToolBlock, how: DrawnWith): DrawnTool | undefined;
  entry(entry: CustomEntry, how: DrawnWith): readonly string[] | undefined;
  /** Increases when what extensions drew is out of date. */
  readonly version: number;
}

export interface DrawnWith {
  readonly width: number;
  readonly expanded: boolean;
  /** The call while it runs. */
  readonly live?: LiveTool | undefined;
}

/** Painted lines for the title and the result of a call. */
export interface DrawnTool {
  readonly call: readonly string[] | undefined;
  readonly result: readonly string[] | undefined;
}

/** Width of a block's symbol, in columns. */
export const HANG = 2;

interface Hung {
  readonly sign: string;
  readonly tone: PaintTone;
  /** The block that these lines open or fold. */
  readonly block?: TranscriptBlock | undefined;
  /** Whether the lines are known to fit next to the symbol: measuring thousands of them takes time. Default: false. */
  readonly measured?: boolean;
}

/** Stacks painted lines, with the symbol before the first and the same indent before the others. */
export function hang(lines: readonly string[], hung: Hung, { theme, width }: BlockContext): DrawnLine[] {
  const { sign, tone, block, measured = false } = hung;
  const its = block === undefined ? {} : { block: block.id };
  return lines.map((line, index) => {
    const text = index === 0 ? `${theme.paint(tone, sign)} ${line}` : line === "" ? "" : `  ${line}`;
    return { text: measured ? text : fitted(text, width), ...its };
  });
}

/** A muted line inside a block: how much is omitted, or what to do next. */
export function remark(text: string, { theme, width, glyphs }: BlockContext): string {
  return theme.paint("muted", cutToWidth(text, Math.max(1, width - HANG), glyphs.ellipsis));
}

/** "38 more lines · Ctrl+O" */
export function moreLines(count: number, action: string, context: BlockContext): string {
  const { glyphs, hint } = context;
  const key = hint(action);
  const words = `${glyphs.leftOut} ${count} more ${count === 1 ? "line" : "lines"}`;
  return remark(key === "" ? words : `${words} ${glyphs.dot} ${key}`, context);
}
