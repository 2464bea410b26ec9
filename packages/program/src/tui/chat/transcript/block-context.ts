/** What drawing a block needs to know. */

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
  /** Grows when theme, signs or keys change: what was painted before is of no use then. */
  readonly look: number;
  /** Milliseconds. */
  readonly now: number;
  /** A note below says what helps against the failure. */
  readonly isAdvised?: boolean;
  /** A panel shows the progress of a summary. */
  readonly progressElsewhere?: boolean;
  readonly markdown: MarkdownLines;
  readonly images: "draw" | "name";
  /** The label shown in place of folded thinking; its first words by default. */
  readonly thinkingLabel?: string | undefined;
  /** The keys of an action, for hints. */
  readonly hint: (actionId: string) => string;
  readonly isOpen: (id: string, kind: FoldKind) => boolean;
  /** The call while it runs. */
  readonly running: (callId: string) => LiveTool | undefined;
  /** How extensions draw what is theirs. */
  readonly drawers?: BlockDrawers | undefined;
  readonly renderer: (customType: string) => MessageRenderer | undefined;
  /** An extension's renderer failed. Told once for each kind of message. */
  readonly rendererFailed: (customType: string, error: unknown) => void;
}

/** How extensions draw their own items, if they do. */
export interface BlockDrawers {
  tool(block: ToolBlock, how: DrawnWith): DrawnTool | undefined;
  entry(entry: CustomEntry, how: DrawnWith): readonly string[] | undefined;
  /** Grows when what they drew is out of date. */
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

/** Columns that the sign of a block takes. */
export const HANG = 2;

interface Hung {
  readonly sign: string;
  readonly tone: PaintTone;
  /** The block that opens or folds from these lines. */
  readonly block?: TranscriptBlock | undefined;
  /** Whether the lines are known to fit next to the sign: measuring thousands of them takes time. Default: they are not. */
  readonly measured?: boolean;
}

/** Painted lines below each other, the sign before the first and as much space before the others. */
export function hang(lines: readonly string[], hung: Hung, { theme, width }: BlockContext): DrawnLine[] {
  const { sign, tone, block, measured = false } = hung;
  const its = block === undefined ? {} : { block: block.id };
  return lines.map((line, index) => {
    const text = index === 0 ? `${theme.paint(tone, sign)} ${line}` : line === "" ? "" : `  ${line}`;
    return { text: measured ? text : fitted(text, width), ...its };
  });
}

/** A muted line inside of a block: how much is omitted, what to do next. */
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
