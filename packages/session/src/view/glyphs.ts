/** The signs of the tree, in two alphabets: Unicode and ASCII. A surface uses one of them throughout. */
const SIGNS = {
  here: ["@", "@"],
  prompt: ["●", "*"],
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
  // Entries on their way to a store and back.
  sync: ["⇅", "^v"],
  // A share of something, and the rest of it.
  bar: ["█", "="],
  barRest: ["░", "."],
} as const;

export type Glyphs = Readonly<Record<keyof typeof SIGNS, string>>;

/** Signs for terminals that draw Unicode. */
export const UNICODE_GLYPHS = alphabet(0);
/** Signs for terminals that draw only ASCII. */
export const ASCII_GLYPHS = alphabet(1);

function alphabet(index: 0 | 1): Glyphs {
  return Object.fromEntries(Object.entries(SIGNS).map(([name, signs]) => [name, signs[index]])) as Glyphs;
}
