/** Messages of extensions, in a box of their own colour: a line with their kind, then what their renderer made, or their text. */
import { firstWords } from "../../../text/index.js";
import type { CustomBlock } from "../../../view/index.js";
import { type BlockContext, HANG, hang } from "./block-context.js";
import { type DrawnLine, fitted } from "./drawn-line.js";
import { onlyStyles } from "./styled-text.js";

/** More lines than this are a mistake of the extension, not a message. */
const MOST = 2000;

export function drawCustom(block: CustomBlock, context: BlockContext): DrawnLine[] {
  const { theme, glyphs, markdown, width } = context;
  const title = theme.paint("strong", firstWords(block.customType, 60) || "message");
  const made = rendered(block, context);
  const text = made ?? markdown.lines(block.text, Math.max(1, width - HANG));
  // Its own colour would be lost on the box.
  const tone = theme.colours ? "strong" : "custom";
  return hang([title, ...text], { sign: glyphs.message, tone }, context).map((line) => ({
    ...line,
    text: theme.fill("custom", line.text, width),
    ...(made === undefined ? {} : { block: block.id }),
  }));
}

/** Undefined where there is no renderer, or it gave nothing that can be drawn. It may throw; that is told, once. */
function rendered(block: CustomBlock, context: BlockContext): string[] | undefined {
  const renderer = context.renderer(block.customType);
  if (renderer === undefined) return undefined;
  const width = Math.max(1, context.width - HANG);
  const { customType, text: content, details } = block;
  try {
    const made = renderer(
      { customType, content, display: true, ...(details === undefined ? {} : { details }) },
      { width, expanded: context.isOpen(block.id, "long") },
    );
    const lines = linesOf(made, width);
    if (lines === undefined) return undefined;
    return lines.slice(0, MOST).map((line) => fitted(clean(line), width));
  } catch (error) {
    context.rendererFailed(customType, error);
    return undefined;
  }
}

/** A text, lines of text, or a component that makes lines for a width. */
function linesOf(made: unknown, width: number): readonly string[] | undefined {
  if (typeof made === "string") return made.split("\n");
  if (Array.isArray(made)) return made.map(String).flatMap((line) => line.split("\n"));
  const render: unknown = (made as { readonly render?: unknown } | null | undefined)?.render;
  if (typeof render !== "function") return undefined;
  const lines: unknown = render.call(made, width);
  return Array.isArray(lines) ? linesOf(lines, width) : undefined;
}

/** Its colours end with its line. */
function clean(line: string): string {
  const styled = onlyStyles(line.replaceAll("\t", "  "), { links: "drop" });
  return styled.includes("\x1b[") ? `${styled}\x1b[0m` : styled;
}
