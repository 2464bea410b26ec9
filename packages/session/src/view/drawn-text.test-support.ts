/** Screens as text for tests: every line, none wider than requested, without trailing spaces. */
import { expect } from "vitest";
import { lineWidth } from "./fit-line.js";
import { ASCII_GLYPHS, type Glyphs, UNICODE_GLYPHS } from "./glyphs.js";
import { type Line, lineText } from "./line.js";
import type { LayoutOptions } from "./list-layout.js";

export const NOW = Date.UTC(2025, 5, 1, 12);
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Shows keys as the last part of the action's name, so that a test can read them; some as they are bound. */
const KEYS: Readonly<Record<string, string>> = {
  enter: "Enter",
  open: "Enter",
  apply: "Enter",
  help: "?",
  close: "Esc",
  stay: "Esc",
  side: "Tab",
  form: "Tab",
  scope: "Tab",
  pick: "Space",
  drop: "Space",
  search: "/",
  compare: "d",
  merge: "M",
  name: "m",
  tree: "t",
  filter: "f",
  sort: "o",
  cherryPick: "p",
  export: "e",
  words: "w",
  about: "w",
  summary: "s",
  never: "a",
  none: "n",
  again: "r",
  rename: "r",
  archive: "x",
  edit: "e",
  leaveOut: "x",
  restore: "r",
  pin: "p",
};

export function optionsAt(width: number, height = 24, glyphs: Glyphs = UNICODE_GLYPHS): LayoutOptions {
  return { width, height, glyphs, now: NOW, hint: (id) => KEYS[id.split(".")[1] ?? ""] ?? "" };
}

export function asciiAt(width: number, height = 24): LayoutOptions {
  return optionsAt(width, height, ASCII_GLYPHS);
}

/** One alphabet or the other, so that a property test covers both. */
export function eitherAt(width: number, height: number): LayoutOptions {
  return (width + height) % 2 === 0 ? optionsAt(width, height) : asciiAt(width, height);
}

const SIGNS = new RegExp(
  `[${Object.values(UNICODE_GLYPHS)
    .filter((glyph) => glyph > "\x7f")
    .join("")}]`,
);

/** The text of a screen; fails if a line is too wide or contains anything but plain characters. */
export function screen(lines: readonly Line[], options: Pick<LayoutOptions, "width" | "height" | "glyphs">): string {
  const { width, height, glyphs } = options;
  expect(lines.length).toBeLessThanOrEqual(height);
  for (const line of lines) {
    expect(lineWidth(line), lineText(line)).toBeLessThanOrEqual(width);
    expect(lineText(line)).not.toMatch(/[\x00-\x1f\x7f]/);
    if (glyphs === ASCII_GLYPHS) expect(lineText(line)).not.toMatch(SIGNS);
  }
  return `\n${lines.map((line) => lineText(line).trimEnd()).join("\n")}\n`;
}
