/** Makes a theme by name, as far as the terminal can show it. */

import type { PaintTone } from "@bough/agent/terminal/index.js";
import { highlightLines } from "@bough/agent/terminal/index.js";
import type { Line } from "@bough/session/view/index.js";
import { displayWidth } from "@bough/session/view/internal.js";
import { COLOURLESS, THEMES, type ToneStyle } from "./styles.js";
import type { Theme } from "./theme.js";

/** `all`: as the theme defines. `none`: only bold, dim and reverse video. `plain`: no escape sequences. */
type ColourUse = "all" | "none" | "plain";

interface ThemeOptions {
  /** `default`, `dark` or `light`; any other name gives the default. */
  readonly name: string;
  readonly colours: ColourUse;
}

export function createTheme({ name, colours }: ThemeOptions): Theme {
  const known = Object.hasOwn(THEMES, name) ? name : "default";
  const styles = (colours === "all" ? THEMES[known] : COLOURLESS) ?? COLOURLESS;
  const paint = (tone: PaintTone, text: string): string => {
    if (colours === "plain" || text === "") return text;
    const { on, off } = codesOf(styles[tone]);
    return on === "" ? text : `${on}${text}${off}`;
  };
  const fill = (tone: PaintTone, text: string, width: number): string => {
    const on = colours === "all" ? fillOf(styles[tone]) : "";
    if (on === "") return text;
    const room = Math.max(0, width - displayWidth(text.replace(SEQUENCE, "")));
    const held = text.replace(SEQUENCE, (sequence, parts: string) => (endsColour(parts) ? sequence + on : sequence));
    return `${on}${held}${" ".repeat(room)}\x1b[0m`;
  };
  return {
    name: known,
    colours: colours === "all",
    paint,
    fill,
    line: lineWith(paint),
    highlight: (code, language) => highlightLines({ code, language, paint }),
  };
}

/** Paints the lines of views. */
export function lineWith(paint: Theme["paint"]): Theme["line"] {
  return (spans: Line): string => {
    const first = spans.findIndex(({ tone }) => tone === "select");
    const last = spans.findLastIndex(({ tone }) => tone === "select");
    let painted = "";
    for (const [index, { text, tone }] of spans.entries()) {
      // Text between two selected spans is part of the same row, whatever its own tone.
      const inside = index >= first && index <= last && first !== -1;
      painted += inside && tone !== "select" ? paint("select", paint(tone, text)) : paint(tone, text);
    }
    return painted;
  };
}

/** Another theme for the same terminal; undefined for an unknown name. */
export function themeLike(theme: Theme, name: string): Theme | undefined {
  if (!Object.hasOwn(THEMES, name)) return undefined;
  if (name === theme.name) return theme;
  const plain = theme.paint("strong", "x") === "x";
  return createTheme({ name, colours: theme.colours ? "all" : plain ? "plain" : "none" });
}

const EMPHASIS = { bold: [1, 22], dim: [2, 22], italic: [3, 23], underline: [4, 24], reverse: [7, 27] } as const;
const NAMED_COLOURS = { green: 32, cyan: 36, magenta: 35, red: 31 } as const;

const SEQUENCE = /\x1b\[([0-9;:]*)m/g;

/** Whether a sequence undoes a color or everything. */
function endsColour(parts: string): boolean {
  return /(?:^|;)(?:0|39|49)?$/.test(parts) && !/[34]8;5;\d+$/.test(parts);
}

function fillOf({ fill }: ToneStyle): string {
  if (fill === undefined) return "";
  const background = fill.background === "magenta" ? "45" : `48;5;${fill.background}`;
  return `\x1b[${background};${fill.colour === "white" ? "97" : `38;5;${fill.colour}`}m`;
}

/** Each attribute is reset separately, so that a nested tone leaves the outer one on. */
function codesOf({ colour, emphasis = [] }: ToneStyle): { readonly on: string; readonly off: string } {
  const on: (number | string)[] = emphasis.map((part) => EMPHASIS[part][0]);
  const off: number[] = emphasis.map((part) => EMPHASIS[part][1]);
  if (colour !== undefined) {
    on.push(typeof colour === "number" ? `38;5;${colour}` : NAMED_COLOURS[colour]);
    off.push(39);
  }
  return on.length === 0 ? { on: "", off: "" } : { on: `\x1b[${on.join(";")}m`, off: `\x1b[${off.join(";")}m` };
}
