/** The footer of a tree in which a prompt is chosen for a new session. */
import { cutLine, type Line, span } from "../../view/index.js";
import type { OpenTree } from "./open-tree.js";
import { isPrompt } from "./row-targets.js";

/** From this width on the footer has a line of its own for what Enter does. */
const TWO_LINES = 60;

/** Says what Enter does here, in place of what it would do in a tree one moves in. */
export function withForkFooter(
  tree: OpenTree,
  lines: readonly Line[],
  { width }: { readonly width: number },
): readonly Line[] {
  const { keys, glyphs } = tree.app.desk;
  const place = lines.length - (width >= TWO_LINES ? 2 : 1);
  if (place < 1 || !isPrompt(tree.model, tree.selected)) return lines;
  const words = `fork into a new session from before this prompt ${glyphs.dot} this one stays`;
  const said = cutLine([span(" "), span(keys.hint("tree.enter"), "accent"), span(` ${words}`)], width, glyphs.ellipsis);
  return lines.map((line, at) => (at === place ? said : line));
}
