/** The signs of the tree, in two alphabets. A surface uses one of them throughout. */

export interface Glyphs {
  readonly here: string;
  readonly prompt: string;
  readonly answer: string;
  readonly tool: string;
  readonly note: string;
  /** An extension's message, its state, and a label. */
  readonly message: string;
  readonly state: string;
  readonly label: string;
  readonly end: string;
  readonly folded: string;
  readonly open: string;
  readonly leftOut: string;
  readonly failed: string;
  readonly picked: string;
  readonly selected: string;
  readonly branch: string;
  readonly lastBranch: string;
  readonly through: string;
  readonly dash: string;
  readonly rule: string;
  readonly ruleDown: string;
  readonly ruleCross: string;
  readonly column: string;
  readonly ellipsis: string;
  readonly dot: string;
  readonly arrow: string;
  readonly back: string;
  readonly between: string;
  readonly about: string;
  readonly warning: string;
  readonly deeper: string;
  /** A share of something, and the rest of it. */
  readonly bar: string;
  readonly barRest: string;
}

export const UNICODE_GLYPHS: Glyphs = {
  here: "@",
  prompt: "●",
  answer: "○",
  tool: "·",
  note: "◆",
  message: "◈",
  state: "▫",
  label: "⚑",
  end: "◇",
  folded: "▸",
  open: "▾",
  leftOut: "~",
  failed: "✕",
  picked: "✓",
  selected: "❯",
  branch: "├",
  lastBranch: "└",
  through: "│",
  dash: "─",
  rule: "─",
  ruleDown: "┬",
  ruleCross: "┼",
  column: "│",
  ellipsis: "…",
  dot: "·",
  arrow: "→",
  back: "←",
  between: "↔",
  about: "≈",
  warning: "⚠",
  deeper: "⋯",
  bar: "█",
  barRest: "░",
};

export const ASCII_GLYPHS: Glyphs = {
  here: "@",
  prompt: "*",
  answer: "o",
  tool: ".",
  note: "#",
  message: "%",
  state: ":",
  label: "^",
  end: "=",
  folded: "+",
  open: "-",
  leftOut: "~",
  failed: "x",
  picked: "v",
  selected: ">",
  branch: "|",
  lastBranch: "`",
  through: "|",
  dash: "-",
  rule: "-",
  ruleDown: "+",
  ruleCross: "+",
  column: "|",
  ellipsis: "...",
  dot: "-",
  arrow: "->",
  back: "<-",
  between: "<->",
  about: "~",
  warning: "!",
  deeper: "..",
  bar: "=",
  barRest: ".",
};
