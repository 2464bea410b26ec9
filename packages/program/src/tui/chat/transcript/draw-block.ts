/** Draws any block of the conversation as painted lines. */

import { fitted, onlyStyles } from "@bough/agent/terminal/index.js";
import { firstWords } from "@bough/session/text/index.js";
import type {
  CustomBlock,
  FailureBlock,
  NoteBlock,
  PromptBlock,
  ThinkingBlock,
  TranscriptBlock,
} from "@bough/session/view/index.js";
import { uiTheme } from "../../extension/ui-theme.js";
import { type BlockContext, HANG, hang, moreLines, remark } from "./block-context.js";
import { drawShell, drawTool } from "./draw-tool.js";
import type { DrawnLine } from "./drawn-line.js";
import { imageLines } from "./image-lines.js";
import { countLines, firstLines, wrapped } from "./text-lines.js";

/** Lines shown of a folded prompt: pasted logs have thousands. */
const LONG_PROMPT = 20;
const LONG_TEXT = 4000;

/** Without the blank line that may be above it. */
export function drawBlock(block: TranscriptBlock, context: BlockContext): DrawnLine[] {
  const { glyphs, theme, markdown, width } = context;
  const room = Math.max(1, width - HANG);
  switch (block.kind) {
    case "prompt":
      return drawPrompt(block, context);
    case "answer":
      return hang(markdown.lines(block.text, room), { sign: glyphs.answer, tone: "muted", measured: true }, context);
    case "thinking":
      return drawThinking(block, context);
    case "tool":
      return drawTool(block, context);
    case "shell":
      return drawShell(block, context);
    case "note":
      return drawNote(block, context);
    case "custom":
      return drawCustom(block, context);
    case "label":
      return hang([theme.paint("label", firstWords(block.text, room))], { sign: glyphs.label, tone: "label" }, context);
    case "files": {
      const lines = [block.title, ...block.files.map(({ title }) => title)].map((line) => firstWords(line, room));
      return hang(
        lines.map((line) => remark(line, context)),
        { sign: glyphs.dot, tone: "muted" },
        context,
      );
    }
    case "change":
      return hang([remark(block.text, context)], { sign: glyphs.dot, tone: "muted" }, context);
    case "failure":
      return drawFailure(block, context);
    case "unreadable": {
      const lines = wrapped(firstWords(block.text, 1000), room).map((line) => theme.paint("bad", line));
      return hang(lines, { sign: glyphs.failed, tone: "bad" }, context);
    }
  }
}

/** Tools and changes are drawn close together; everything else has a blank line above it. */
export function hasGap(block: TranscriptBlock, above: TranscriptBlock["kind"] | undefined): boolean {
  const close = (kind: TranscriptBlock["kind"]): boolean => kind === "tool" || kind === "change" || kind === "label";
  if (block.kind === "label") return false;
  return !close(block.kind) || (above !== undefined && !close(above));
}

function drawPrompt(block: PromptBlock, context: BlockContext): DrawnLine[] {
  const { theme, glyphs, width } = context;
  const room = Math.max(1, width - HANG);
  const count = countLines(block.text);
  const isLong = count > LONG_PROMPT || block.text.length > LONG_TEXT;
  const folded = isLong && !context.isOpen(block.id, "long");
  const text = folded ? firstLines(block.text, LONG_PROMPT).slice(0, LONG_TEXT) : block.text.slice(0, 50 * LONG_TEXT);
  const lines = wrapped(text, room).map((line) => theme.paint("user", line));
  if (folded) {
    const left = count - LONG_PROMPT;
    lines.push(
      left > 0 ? moreLines(left, "chat.foldBlock", context) : remark(`${glyphs.leftOut} more of this line`, context),
    );
  }
  const drawn = hang(lines, { sign: glyphs.prompt, tone: "user", block: isLong ? block : undefined }, context);
  for (const image of block.images) {
    for (const line of imageLines(image, { ...context, width: room })) {
      drawn.push({ ...line, text: line.text === "" ? "" : `  ${line.text}` });
    }
  }
  return drawn;
}

function drawThinking(block: ThinkingBlock, context: BlockContext): DrawnLine[] {
  const { theme, glyphs, width } = context;
  const room = Math.max(1, width - HANG);
  const sign = { sign: glyphs.answer, tone: "thinking", block } as const;
  if (block.redacted) return hang([remark("thinking hidden by the provider", context)], sign, context);
  if (!context.isOpen(block.id, "thinking")) {
    const label = context.thinkingLabel ?? `thinking: ${firstWords(block.text)}`;
    return hang([remark(label, context)], sign, context);
  }
  const lines = wrapped(block.text.trim().slice(0, 50 * LONG_TEXT), room).map((line) => theme.paint("thinking", line));
  return hang(lines, sign, context);
}

function drawNote(block: NoteBlock, context: BlockContext): DrawnLine[] {
  const { theme, glyphs, markdown, width } = context;
  const room = Math.max(1, width - HANG);
  const empty = block.text.trim() === "";
  const open = !empty && context.isOpen(block.id, "notes");
  const mark = empty ? "" : ` ${open ? glyphs.open : glyphs.folded}`;
  const [first = "", ...more] = wrapped(firstWords(block.title) + mark, room);
  const title = [first, ...more].map((line) => theme.paint("note", line));
  const text = open ? markdown.lines(block.text, room) : [];
  return hang([...title, ...text], { sign: glyphs.note, tone: "note", block: empty ? undefined : block }, context);
}

const NEXT_STEP: Readonly<Record<FailureBlock["reason"], string>> = {
  error: "Send again to retry, or /model for another model",
  aborted: "Work so far is kept. Tell it how to continue",
  length: 'Say "continue" to get the rest',
};

function drawFailure(block: FailureBlock, context: BlockContext): DrawnLine[] {
  const { theme, glyphs, width } = context;
  const room = Math.max(1, width - HANG);
  const tone = block.reason === "error" ? "bad" : "muted";
  const lines = wrapped(firstWords(block.text, 1000), room).map((line) => theme.paint(tone, line));
  const isAdvised = context.isPast === true || (block.reason === "error" && context.isAdvised === true);
  if (!isAdvised) for (const line of wrapped(NEXT_STEP[block.reason], room)) lines.push(theme.paint("muted", line));
  return hang(lines, { sign: glyphs.failed, tone }, context);
}

/** An extension that returns more lines than this made a mistake. */
const MOST = 2000;

function drawCustom(block: CustomBlock, context: BlockContext): DrawnLine[] {
  const { theme, glyphs, markdown, width } = context;
  const title = theme.paint("strong", firstWords(block.customType, 60) || "message");
  const made = rendered(block, context);
  const text = made ?? markdown.lines(block.text, Math.max(1, width - HANG));
  // Its own color would be lost inside the box.
  const tone = theme.colours ? "strong" : "custom";
  return hang([title, ...text], { sign: glyphs.message, tone }, context).map((line) => ({
    ...line,
    text: theme.fill("custom", line.text, width),
    block: made === undefined ? undefined : block.id,
  }));
}

/** Undefined if there is no renderer or its result cannot be drawn. Errors are reported once. */
function rendered(block: CustomBlock, context: BlockContext): string[] | undefined {
  const renderer = context.renderer(block.customType);
  if (renderer === undefined) return undefined;
  const width = Math.max(1, context.width - HANG);
  const { customType, text: content, details } = block;
  try {
    const made = renderer(
      { customType, content, display: true, ...(details === undefined ? {} : { details }) },
      { width, expanded: context.isOpen(block.id, "long") },
      uiTheme(context.theme),
    );
    const lines = linesOf(made, width);
    if (lines === undefined) return undefined;
    return lines.slice(0, MOST).map((line) => fitted(clean(line), width));
  } catch (error) {
    context.rendererFailed(customType, error);
    return undefined;
  }
}

/** A text, lines of text, or a component that renders lines for a width. */
function linesOf(made: unknown, width: number): readonly string[] | undefined {
  if (typeof made === "string") return made.split("\n");
  if (Array.isArray(made)) return made.map(String).flatMap((line) => line.split("\n"));
  const render: unknown = (made as { readonly render?: unknown } | null | undefined)?.render;
  if (typeof render !== "function") return undefined;
  const lines: unknown = render.call(made, width);
  return Array.isArray(lines) ? linesOf(lines, width) : undefined;
}

/** Colors must not run into the next line. */
function clean(line: string): string {
  const styled = onlyStyles(line.replaceAll("\t", "  "), { links: "drop" });
  return styled.includes("\x1b[") ? `${styled}\x1b[0m` : styled;
}
