/** Themes from files and from objects that extensions made. */
import type { UiTheme } from "@bough/agent/extension/ui.js";
import type { ThemeColor, ThemeFile } from "@bough/agent/project/index.js";
import type { PaintTone } from "@bough/agent/terminal/index.js";
import { highlightLines } from "@bough/agent/terminal/index.js";
import { displayWidth } from "@bough/session/view/internal.js";
import { lineWith } from "./create-theme.js";
import type { Theme } from "./theme.js";

/** Paints with pi's color names. */
export type ColorPainter = Pick<UiTheme, "name" | "fg" | "bg">;

interface Look {
  readonly color?: string;
  readonly emphasis?: readonly (readonly [on: number, off: number])[];
}

const BOLD = [1, 22] as const;
const ITALIC = [3, 23] as const;
const REVERSE = [7, 27] as const;

/** Which of pi's colors each of our tones uses. */
const LOOKS: Readonly<Record<PaintTone, Look>> = {
  text: { color: "text" },
  muted: { color: "muted" },
  here: { color: "success", emphasis: [BOLD] },
  accent: { color: "accent" },
  note: { color: "warning" },
  bad: { color: "error" },
  good: { color: "success" },
  label: { emphasis: [BOLD] },
  strong: { emphasis: [BOLD] },
  select: { emphasis: [REVERSE] },
  heading: { color: "mdHeading", emphasis: [BOLD] },
  code: { color: "mdCode" },
  thinking: { color: "thinkingText", emphasis: [ITALIC] },
  added: { color: "toolDiffAdded" },
  removed: { color: "toolDiffRemoved" },
  border: { color: "border" },
  user: { color: "userMessageText", emphasis: [BOLD] },
  custom: { color: "customMessageLabel" },
};

/** Makes our theme from one with pi's colors. */
export function themeFromPainter({ name, fg, bg }: ColorPainter): Theme {
  const paint = (tone: PaintTone, text: string): string => {
    if (text === "") return text;
    const { color, emphasis = [] } = LOOKS[tone];
    const colored = color === undefined ? text : fg(color, text);
    return emphasis.reduce((inner, [on, off]) => `\x1b[${on}m${inner}\x1b[${off}m`, colored);
  };
  return {
    name,
    colours: true,
    paint,
    fill: (tone, text, width) => {
      if (tone !== "custom") return text;
      const room = Math.max(0, width - displayWidth(text.replace(/\x1b\[[0-9;:]*m/g, "")));
      return bg("customMessageBg", fg("customMessageText", `${text}${" ".repeat(room)}`));
    },
    line: lineWith(paint),
    highlight: (code, language) => highlightLines({ code, language, paint }),
  };
}

/** Paints a theme file in 24-bit color, or with the nearest of the 256 colors. */
export function filePainter(
  { name, colors }: ThemeFile,
  { trueColors }: { readonly trueColors: boolean },
): ColorPainter {
  const code = (layer: 38 | 48, role: string): string | undefined => {
    const color = colorOf(colors, role);
    if (color === undefined || color === "") return undefined;
    if (typeof color === "number") return `${layer};5;${color}`;
    const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
    return trueColors ? `${layer};2;${r};${g};${b}` : `${layer};5;${nearest(r, g, b)}`;
  };
  const painted =
    (layer: 38 | 48) =>
    (role: string, text: string): string => {
      const on = code(layer, role);
      return on === undefined || text === "" ? text : `\x1b[${on}m${text}\x1b[${layer + 1}m`;
    };
  return { name, fg: painted(38), bg: painted(48) };
}

/** Colors that a theme may omit. */
const OTHERWISE: Readonly<Record<string, string>> = {
  scrollbarTrack: "muted",
  scrollbarThumb: "text",
  searchMatchBg: "selectedBg",
  searchMatchText: "text",
  thinkingMax: "thinkingXhigh",
};

function colorOf(colors: ThemeFile["colors"], role: string): ThemeColor | undefined {
  if (Object.hasOwn(colors, role)) return colors[role];
  const other = Object.hasOwn(OTHERWISE, role) ? OTHERWISE[role] : undefined;
  return other !== undefined && Object.hasOwn(colors, other) ? colors[other] : undefined;
}

const STEPS: readonly number[] = [0, 95, 135, 175, 215, 255];

/** From the color cube and the grays of the 256 colors. */
function nearest(r: number, g: number, b: number): number {
  const step = (value: number) =>
    STEPS.reduce((best, one, at) => (Math.abs(one - value) < Math.abs((STEPS[best] ?? 0) - value) ? at : best), 0);
  const [sr, sg, sb] = [step(r), step(g), step(b)];
  const gray = Math.max(0, Math.min(23, Math.round(((r + g + b) / 3 - 8) / 10)));
  const level = 8 + gray * 10;
  const far = (...to: readonly number[]) => (r - (to[0] ?? 0)) ** 2 + (g - (to[1] ?? 0)) ** 2 + (b - (to[2] ?? 0)) ** 2;
  const cube = far(STEPS[sr] ?? 0, STEPS[sg] ?? 0, STEPS[sb] ?? 0);
  return far(level, level, level) < cube ? 232 + gray : 16 + 36 * sr + 6 * sg + sb;
}
