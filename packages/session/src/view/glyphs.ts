/** The symbols of the tree, in two alphabets: Unicode and ASCII. A user interface uses one of them throughout. */
export const SIGNS = {
  here: ["@", "@"],
  prompt: ["●", "*"],
  // Where text is typed.
  typing: ["›", ">"],
  answer: ["○", "o"],
  tool: ["·", "."],
  note: ["◆", "#"],
  // An extension's message, its state, and a label.
  message: ["◈", "%"],
  state: ["▫", ":"],
  label: ["⚑", "^"],
  end: ["◇", "="],
  folded: ["▸", "+"],
  open: ["▾", "-"],
  leftOut: ["~", "~"],
  failed: ["✕", "x"],
  picked: ["✓", "v"],
  selected: ["❯", ">"],
  branch: ["├", "|"],
  lastBranch: ["└", "`"],
  through: ["│", "|"],
  dash: ["─", "-"],
  rule: ["─", "-"],
  ruleDown: ["┬", "+"],
  ruleCross: ["┼", "+"],
  column: ["│", "|"],
  ellipsis: ["…", "..."],
  dot: ["·", "-"],
  arrow: ["→", "->"],
  back: ["←", "<-"],
  between: ["↔", "<->"],
  about: ["≈", "~"],
  warning: ["⚠", "!"],
  deeper: ["⋯", ".."],
  // Files that a step changed.
  changed: ["±", "+-"],
  // Entries on their way to or from a store.
  sync: ["⇅", "^v"],
  // A filled part of a bar, and the rest.
  bar: ["█", "="],
  barRest: ["░", "."],
} as const;

export type Glyphs = Readonly<Record<keyof typeof SIGNS, string>>;

/** Symbols for terminals with Unicode. */
export const UNICODE_GLYPHS = alphabet(0);
/** Symbols for terminals with only ASCII. */
export const ASCII_GLYPHS = alphabet(1);

function alphabet(index: 0 | 1): Glyphs {
  return Object.fromEntries(Object.entries(SIGNS).map(([name, signs]) => [name, signs[index]])) as Glyphs;
}
