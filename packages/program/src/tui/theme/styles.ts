/** How each tone looks in each theme. No yellow, blue, white or black text: they are unreadable on some backgrounds. */
import type { PaintTone } from "@bough/agent/terminal/index.js";

/** How a tone is switched on. Colors are the numbers after `38;`, or one of the sixteen names. */
export interface ToneStyle {
  readonly colour?: "green" | "cyan" | "magenta" | "red" | number;
  /** Only if the whole line is filled; the text must be readable on it. */
  readonly fill?: { readonly background: "magenta" | number; readonly colour: "white" | number };
  readonly emphasis?: readonly ("bold" | "dim" | "italic" | "underline" | "reverse")[];
}

type ToneStyles = Readonly<Record<PaintTone, ToneStyle>>;

/** Sixteen colors, which every terminal shows in the user's own palette. */
const SIXTEEN: ToneStyles = {
  text: {},
  muted: { emphasis: ["dim"] },
  here: { colour: "green", emphasis: ["bold"] },
  accent: { colour: "cyan" },
  note: { colour: "magenta" },
  bad: { colour: "red" },
  good: { colour: "green" },
  label: { emphasis: ["bold"] },
  strong: { emphasis: ["bold"] },
  select: { emphasis: ["reverse"] },
  heading: { emphasis: ["bold"] },
  code: { colour: "cyan" },
  thinking: { emphasis: ["dim", "italic"] },
  added: { colour: "green" },
  removed: { colour: "red" },
  border: { emphasis: ["dim"] },
  user: { emphasis: ["bold"] },
  custom: { colour: "magenta", fill: { background: "magenta", colour: "white" } },
};

/** Colors for a dark background, from the 256. */
const DARK: ToneStyles = {
  ...SIXTEEN,
  muted: { colour: 246 },
  here: { colour: 114, emphasis: ["bold"] },
  accent: { colour: 80 },
  note: { colour: 176 },
  bad: { colour: 203 },
  good: { colour: 114 },
  heading: { colour: 80, emphasis: ["bold"] },
  code: { colour: 151 },
  thinking: { colour: 246, emphasis: ["italic"] },
  added: { colour: 114 },
  removed: { colour: 203 },
  border: { colour: 240 },
  custom: { colour: 176, fill: { background: 53, colour: 225 } },
};

/** Colors for a light background; each has a contrast ratio of at least 4.5 to white. */
const LIGHT: ToneStyles = {
  ...SIXTEEN,
  muted: { colour: 241 },
  here: { colour: 22, emphasis: ["bold"] },
  accent: { colour: 23 },
  note: { colour: 90 },
  bad: { colour: 124 },
  good: { colour: 22 },
  heading: { colour: 23, emphasis: ["bold"] },
  code: { colour: 23 },
  thinking: { colour: 241, emphasis: ["italic"] },
  added: { colour: 22 },
  removed: { colour: 124 },
  border: { colour: 247 },
  custom: { colour: 90, fill: { background: 225, colour: 53 } },
};

export const THEMES: Readonly<Record<string, ToneStyles>> = { default: SIXTEEN, dark: DARK, light: LIGHT };

/** Without colors, use weight instead. */
export const COLOURLESS: ToneStyles = {
  ...SIXTEEN,
  accent: { emphasis: ["bold"] },
  note: {},
  bad: { emphasis: ["bold"] },
  good: {},
  code: {},
  added: {},
  removed: { emphasis: ["dim"] },
  here: { emphasis: ["bold"] },
  custom: {},
};
