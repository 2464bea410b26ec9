/** Colors by pi's names, and themes of components built from them. */

import { highlightLines } from "@bough/agent/terminal/index.js";
import type { EditorTheme, MarkdownTheme, SelectListTheme, SettingsListTheme } from "@earendil-works/pi-tui";
import type { PiTheme } from "../pi-theme.js";

type Colour = string | number;
type ColourMode = "truecolor" | "256color";

const painted =
  (on: string, off: string) =>
  (text: string): string =>
    `\x1b[${on}m${text}\x1b[${off}m`;

/** A theme created by an extension. The current one is `ctx.ui.theme`, which has the same methods. */
export class Theme implements PiTheme {
  readonly name: string;
  readonly sourcePath?: string;
  readonly #fg: Readonly<Record<string, Colour>>;
  readonly #bg: Readonly<Record<string, Colour>>;
  readonly #mode: ColourMode;
  readonly bold = painted("1", "22");
  readonly dim = painted("2", "22");
  readonly italic = painted("3", "23");
  readonly underline = painted("4", "24");
  readonly inverse = painted("7", "27");
  readonly strikethrough = painted("9", "29");

  constructor(
    fg: Readonly<Record<string, Colour>>,
    bg: Readonly<Record<string, Colour>>,
    mode: ColourMode = "truecolor",
    options: { readonly name?: string; readonly sourcePath?: string } = {},
  ) {
    this.#fg = fg;
    this.#bg = bg;
    this.#mode = mode;
    this.name = options.name ?? "custom";
    if (options.sourcePath !== undefined) this.sourcePath = options.sourcePath;
  }

  fg(colour: string, text: string): string {
    return `${this.getFgAnsi(colour)}${text}\x1b[39m`;
  }

  bg(colour: string, text: string): string {
    return `${this.getBgAnsi(colour)}${text}\x1b[49m`;
  }

  getFgAnsi(colour: string): string {
    return codeOf(38, this.#fg[colour]);
  }

  getBgAnsi(colour: string): string {
    return codeOf(48, this.#bg[colour]);
  }

  getColorMode(): ColourMode {
    return this.#mode;
  }

  getThinkingBorderColor(level: string): (text: string) => string {
    const name = `thinking${level.charAt(0).toUpperCase()}${level.slice(1)}`;
    return (text) => this.fg(name in this.#fg ? name : "border", text);
  }

  getBashModeBorderColor(): (text: string) => string {
    return (text) => this.fg("bashMode", text);
  }
}

function codeOf(layer: 38 | 48, colour: Colour | undefined): string {
  if (colour === undefined || colour === "") return `\x1b[${layer + 1}m`;
  if (typeof colour === "number") return `\x1b[${layer};5;${colour}m`;
  const hex = /^#?([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(colour);
  if (hex === null) return `\x1b[${layer + 1}m`;
  const [r, g, b] = hex.slice(1).map((part) => Number.parseInt(part, 16));
  return `\x1b[${layer};2;${r};${g};${b}m`;
}

const asIs = (text: string): string => text;
const PLAIN: PiTheme = {
  fg: (_colour, text) => text,
  bg: (_colour, text) => text,
  bold: asIs,
  italic: asIs,
  underline: asIs,
  strikethrough: asIs,
};

/** pi's theme functions take no theme, so they use the one on screen. */
let inUse = (): PiTheme => PLAIN;

/** Without an argument there is no screen. */
export function useTheme(theme: () => PiTheme = () => PLAIN): void {
  inUse = theme;
}

/** The theme of the screen. Without a screen, texts are returned unchanged. */
export function themeInUse(): PiTheme {
  return inUse();
}

export const initTheme = (): void => {};

const fg =
  (colour: string) =>
  (text: string): string =>
    inUse().fg(colour, text);

export function getMarkdownTheme(): MarkdownTheme {
  return {
    heading: fg("mdHeading"),
    link: fg("mdLink"),
    linkUrl: fg("mdLinkUrl"),
    code: fg("mdCode"),
    codeBlock: fg("mdCodeBlock"),
    codeBlockBorder: fg("mdCodeBlockBorder"),
    quote: fg("mdQuote"),
    quoteBorder: fg("mdQuoteBorder"),
    hr: fg("mdHr"),
    listBullet: fg("mdListBullet"),
    bold: (text) => inUse().bold(text),
    italic: (text) => inUse().italic(text),
    underline: (text) => inUse().underline(text),
    strikethrough: (text) => inUse().strikethrough(text),
    highlightCode,
  };
}

export function getSelectListTheme(): SelectListTheme {
  return {
    selectedPrefix: fg("accent"),
    selectedText: fg("accent"),
    description: fg("muted"),
    scrollInfo: fg("muted"),
    noMatch: fg("muted"),
  };
}

export function getEditorTheme(): EditorTheme {
  return { borderColor: fg("borderMuted"), selectList: getSelectListTheme() };
}

export function getSettingsListTheme(): SettingsListTheme {
  return {
    label: (text, selected) => (selected ? inUse().fg("accent", text) : text),
    value: (text, selected) => inUse().fg(selected ? "accent" : "muted", text),
    description: fg("dim"),
    cursor: inUse().fg("accent", "→ "),
    hint: fg("dim"),
  };
}

const SYNTAX: Readonly<Record<string, string>> = {
  note: "syntaxKeyword",
  accent: "syntaxType",
  good: "syntaxString",
  muted: "syntaxComment",
  strong: "syntaxFunction",
  added: "toolDiffAdded",
  removed: "toolDiffRemoved",
};

/** Returns one highlighted string per line. */
export function highlightCode(code: string, language?: string): string[] {
  const paint = (tone: string, text: string): string => inUse().fg(SYNTAX[tone] ?? "mdCodeBlock", text);
  return [...highlightLines({ code, language, paint })];
}

const LANGUAGES: Readonly<Record<string, string>> = {
  ts: "typescript",
  tsx: "typescript",
  mts: "typescript",
  cts: "typescript",
  js: "javascript",
  jsx: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  py: "python",
  rb: "ruby",
  rs: "rust",
  go: "go",
  java: "java",
  kt: "kotlin",
  swift: "swift",
  c: "c",
  h: "c",
  cpp: "cpp",
  cc: "cpp",
  hpp: "cpp",
  cs: "csharp",
  php: "php",
  sh: "bash",
  bash: "bash",
  zsh: "bash",
  fish: "fish",
  ps1: "powershell",
  sql: "sql",
  html: "html",
  htm: "html",
  css: "css",
  scss: "scss",
  less: "less",
  json: "json",
  jsonl: "json",
  yaml: "yaml",
  yml: "yaml",
  toml: "toml",
  ini: "ini",
  xml: "xml",
  svg: "xml",
  md: "markdown",
  markdown: "markdown",
  lua: "lua",
  diff: "diff",
  patch: "diff",
  dockerfile: "dockerfile",
  makefile: "makefile",
};

/** Determined by the file extension, or by the whole name for files such as `Dockerfile`. */
export function getLanguageFromPath(path: string): string | undefined {
  const name = (path.split(/[/\\]/).at(-1) ?? "").toLowerCase();
  const ending = name.includes(".") ? name.slice(name.lastIndexOf(".") + 1) : name;
  return LANGUAGES[ending];
}
