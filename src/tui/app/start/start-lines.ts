/** What stands at the top when the terminal opens. */
import { counted, firstWords, longAge } from "../../../text/index.js";
import { type Glyphs, type Line, span } from "../../../view/index.js";

interface NewStart {
  /** Where it will be saved, as it is shown; undefined in memory. */
  readonly place: string | undefined;
  /** The very first start of this person. */
  readonly first: boolean;
  /** Keys as hints show them. */
  readonly keys: { readonly tree: string; readonly help: string };
  /** What the model is, where it is none that thinks. */
  readonly offline: boolean;
  /** A sentence about sessions of other agents. */
  readonly others?: string | undefined;
}

export function newSessionLines({ place, first, keys, offline, others }: NewStart, glyphs: Glyphs): readonly Line[] {
  const where = place === undefined ? "kept in memory only" : `saved as you go in ${firstWords(place)}`;
  const lines: Line[] = [[span(" New session", "strong"), span(` ${glyphs.dot} ${where}`, "muted")]];
  if (first) {
    const hint = (key: string, words: string): Line => [span(key, "accent"), span(`  ${words}      `)];
    lines.push(
      [span(" Everything you try is kept. To try something else, go back and ask again:")],
      [
        span("   "),
        ...hint(keys.tree, "tree"),
        ...hint("/branches", "list"),
        ...hint("/pop", "come back"),
        span(keys.help, "accent"),
        span("  keys"),
      ],
    );
  }
  if (others !== undefined) lines.push([span(` ${others}`)]);
  if (offline) {
    lines.push(
      [span(" No model is set up: this is a built-in rule-based stand-in, not a language model.")],
      [span("   "), span("/model", "accent"), span("  shows how to get a real one")],
    );
  }
  return lines;
}

interface LaterStart {
  readonly name: string;
  readonly branch: { readonly number: number; readonly name: string };
  readonly turns: number;
  /** Milliseconds; undefined where nothing was ever said. */
  readonly last: number | undefined;
  readonly now: number;
  /** What the leaf is. */
  readonly here: string;
}

/** `parser session · #1 main · 214 turns · last 12 minutes ago · @ "reply finished"` */
export function laterStartLine({ name, branch, turns, last, now, here }: LaterStart, glyphs: Glyphs): Line {
  const dot = span(` ${glyphs.dot} `, "muted");
  return [
    span(` ${firstWords(name, 60)}`, "strong"),
    dot,
    span(`#${branch.number} ${firstWords(branch.name, 40)}`, "here"),
    dot,
    span(counted(turns, "turn")),
    ...(last === undefined ? [] : [dot, span(`last ${longAge(last, now)}`)]),
    dot,
    span(`${glyphs.here} "${firstWords(here, 60)}"`, "muted"),
  ];
}
