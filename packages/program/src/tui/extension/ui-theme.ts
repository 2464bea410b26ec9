/** Our theme under the color names extensions know. */
import type { UiTheme } from "@bough/agent/extension/ui.js";
import type { ThemeFile } from "@bough/agent/project/index.js";
import type { PaintTone } from "@bough/agent/terminal/index.js";
import { attempt } from "@bough/session/text/index.js";
import type { Theme } from "../theme/theme.js";
import { type ColorPainter, filePainter, themeFromPainter } from "../theme/theme-from-colors.js";

/** Foreground colors under pi's names. */
const TONES: Readonly<Record<string, PaintTone>> = {
  text: "text",
  accent: "accent",
  muted: "muted",
  dim: "muted",
  success: "good",
  error: "bad",
  warning: "note",
  border: "border",
  borderAccent: "accent",
  borderMuted: "border",
  thinkingText: "thinking",
  scrollbarTrack: "border",
  scrollbarThumb: "muted",
  searchMatchText: "accent",
  userMessageText: "text",
  customMessageText: "text",
  customMessageLabel: "note",
  toolTitle: "strong",
  toolOutput: "muted",
  mdHeading: "heading",
  mdLink: "accent",
  mdLinkUrl: "muted",
  mdCode: "code",
  mdCodeBlock: "code",
  mdCodeBlockBorder: "border",
  mdQuote: "muted",
  mdQuoteBorder: "border",
  mdHr: "border",
  mdListBullet: "accent",
  toolDiffAdded: "added",
  toolDiffRemoved: "removed",
  toolDiffContext: "muted",
  syntaxComment: "muted",
  syntaxKeyword: "accent",
  syntaxFunction: "strong",
  syntaxVariable: "text",
  syntaxString: "good",
  syntaxNumber: "note",
  syntaxType: "accent",
  syntaxOperator: "text",
  syntaxPunctuation: "muted",
  thinkingOff: "border",
  thinkingMinimal: "muted",
  thinkingLow: "muted",
  thinkingMedium: "accent",
  thinkingHigh: "accent",
  thinkingXhigh: "note",
  thinkingMax: "note",
  bashMode: "good",
};

/** Backgrounds from the 256 colors. 16-color themes have none, because the user's background is unknown. */
const BACKGROUNDS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  dark: {
    selectedBg: 237,
    searchMatchBg: 58,
    userMessageBg: 236,
    customMessageBg: 53,
    toolPendingBg: 235,
    toolSuccessBg: 22,
    toolErrorBg: 52,
  },
  light: {
    selectedBg: 253,
    searchMatchBg: 229,
    userMessageBg: 254,
    customMessageBg: 225,
    toolPendingBg: 255,
    toolSuccessBg: 194,
    toolErrorBg: 224,
  },
};

/** The current theme. Follows changes, because components keep the object they get. */
export function liveUiTheme(host: { readonly theme: Theme }): UiTheme {
  const now = (): UiTheme => uiTheme(host.theme);
  return {
    get name() {
      return now().name;
    },
    fg: (color, text) => now().fg(color, text),
    bg: (color, text) => now().bg(color, text),
    bold: (text) => now().bold(text),
    dim: (text) => now().dim(text),
    italic: (text) => now().italic(text),
    underline: (text) => now().underline(text),
    inverse: (text) => now().inverse(text),
    strikethrough: (text) => now().strikethrough(text),
    getFgAnsi: (color) => now().getFgAnsi(color),
    getBgAnsi: (color) => now().getBgAnsi(color),
    getColorMode: () => now().getColorMode(),
    getThinkingBorderColor: (level) => (text) => now().getThinkingBorderColor(level)(text),
    getBashModeBorderColor: () => (text) => now().getBashModeBorderColor()(text),
  };
}

const themes = new WeakMap<Theme, UiTheme>();
const owners = new WeakMap<UiTheme, Theme>();
const files = new WeakMap<ThemeFile, Theme>();

/** What the terminal supports, which decides how a theme is shown. */
interface ShownOn {
  readonly host: { readonly theme: Theme };
  readonly ground: { readonly trueColors: boolean };
}

/** Loads a theme from a file. On a terminal without colors, returns the current one. */
export function fileTheme(file: ThemeFile, { host, ground }: ShownOn): Theme {
  if (!host.theme.colours) return host.theme;
  const known = files.get(file);
  if (known !== undefined) return known;
  const painter = filePainter(file, ground);
  const theme = themeFromPainter(painter);
  files.set(file, theme);
  remember(theme, {
    ...makeUiTheme(theme, painter),
    getColorMode: () => (ground.trueColors ? "truecolor" : "256color"),
  });
  return theme;
}

/** A theme that an extension made or received. */
export function objectTheme(ui: UiTheme, { host }: ShownOn): Theme | undefined {
  const known = owners.get(ui);
  if (known !== undefined || !host.theme.colours) return known ?? host.theme;
  if (typeof ui.fg !== "function" || typeof ui.bg !== "function") return undefined;
  const theme = themeFromPainter({
    name: String(ui.name ?? "custom"),
    fg: (color, text) => attempt(() => ui.fg(color, text)) ?? text,
    bg: (color, text) => attempt(() => ui.bg(color, text)) ?? text,
  });
  remember(theme, ui);
  return theme;
}

function remember(theme: Theme, ui: UiTheme): void {
  themes.set(theme, ui);
  owners.set(ui, theme);
}

/** Wraps one theme; the same theme always gives the same object. */
export function uiTheme(theme: Theme): UiTheme {
  const known = themes.get(theme);
  if (known !== undefined) return known;
  const made = makeUiTheme(theme);
  remember(theme, made);
  return made;
}

function makeUiTheme(theme: Theme, painter?: ColorPainter): UiTheme {
  // A theme for a dumb terminal paints nothing.
  const isPlain = theme.paint("strong", "x") === "x";
  const style =
    (on: number, off: number) =>
    (text: string): string =>
      isPlain || text === "" ? text : `\x1b[${on}m${text}\x1b[${off}m`;
  const inverse = style(7, 27);
  const fg = (color: string, text: string): string => {
    if (painter !== undefined) return painter.fg(color, text);
    const tone = Object.hasOwn(TONES, color) ? TONES[color] : undefined;
    return tone === undefined ? text : theme.paint(tone, text);
  };
  const bg = (color: string, text: string): string => {
    if (text === "") return text;
    if (painter !== undefined) return painter.bg(color, text);
    const background = theme.colours ? BACKGROUNDS[theme.name]?.[color] : undefined;
    if (background !== undefined) return `\x1b[48;5;${background}m${text}\x1b[49m`;
    // The selection must be visible without colors too.
    return color === "selectedBg" ? inverse(text) : text;
  };
  return {
    name: theme.name,
    fg,
    bg,
    bold: style(1, 22),
    dim: style(2, 22),
    italic: style(3, 23),
    underline: style(4, 24),
    inverse,
    strikethrough: style(9, 29),
    getFgAnsi: (color) => switchedOn(fg(color, MARK)),
    getBgAnsi: (color) => switchedOn(bg(color, MARK)),
    getColorMode: () => "256color",
    getThinkingBorderColor: (level) => (text) => fg(`thinking${level.charAt(0).toUpperCase()}${level.slice(1)}`, text),
    getBashModeBorderColor: () => (text) => fg("bashMode", text),
  };
}

const MARK = "x";

function switchedOn(painted: string): string {
  return painted.slice(0, Math.max(0, painted.indexOf(MARK)));
}
