/** Draws Markdown as painted lines with highlighted code. Pieces drawn before are cached. */

import { fitted, onlyStyles } from "@bough/agent/terminal/index.js";
import { shortBytes } from "@bough/session/text/index.js";
import type { Glyphs } from "@bough/session/view/index.js";
import { cutToWidth } from "@bough/session/view/internal.js";
import { Markdown, type MarkdownTheme, visibleWidth } from "@earendil-works/pi-tui";
import type { Theme } from "../../theme/theme.js";
import { type MarkdownChunk, markdownChunks } from "./markdown-chunks.js";
import { wrapped } from "./text-lines.js";

/** Longer texts are cut; a window shows a thousandth of it anyway. */
const MOST_SHOWN = 200_000;
/** Longer code is shown without colors, because a growing piece is painted repeatedly. */
const MOST_HIGHLIGHTED = 30_000;
/** Size of the cache in characters: several times the longest text, or a growing one would evict its own start. */
const KEPT = 5 * MOST_SHOWN;

/** Marks what the library draws for a fence. Never part of a text, because control characters are removed. */
const FENCE = "\x01";

export class MarkdownLines {
  readonly #theme: Theme;
  readonly #glyphs: Glyphs;
  readonly #library: MarkdownTheme;
  readonly #kept = new Map<string, readonly string[]>();
  #keptCharacters = 0;

  constructor(theme: Theme, glyphs: Glyphs) {
    this.#theme = theme;
    this.#glyphs = glyphs;
    this.#library = libraryTheme(theme);
  }

  /** Never wider than the width. The text must not contain control characters other than newlines and tabs. */
  lines(text: string, width: number): readonly string[] {
    const shown = text.length > MOST_SHOWN ? text.slice(0, MOST_SHOWN) : text;
    const lines: string[] = [];
    for (const chunk of markdownChunks(shown)) {
      if (lines.length > 0) lines.push("");
      for (const line of this.#chunk(chunk, width)) lines.push(line);
    }
    if (shown.length < text.length) {
      const left = `${this.#glyphs.leftOut} ${shortBytes(text.length - shown.length)} more, not shown`;
      lines.push(this.#theme.paint("muted", cutToWidth(left, width, this.#glyphs.ellipsis)));
    }
    return lines;
  }

  #chunk(chunk: MarkdownChunk, width: number): readonly string[] {
    const key = `${width} ${chunk.text}`;
    const known = this.#kept.get(key);
    if (known !== undefined) {
      // Evicts the oldest; using an entry makes it new.
      this.#kept.delete(key);
      this.#kept.set(key, known);
      return known;
    }
    const made = chunk.kind === "plain" ? plain(chunk.text, width) : this.#render(chunk.text, width);
    this.#kept.set(key, made);
    this.#keptCharacters += key.length;
    for (const old of this.#kept.keys()) {
      if (this.#keptCharacters <= KEPT) break;
      this.#kept.delete(old);
      this.#keptCharacters -= old.length;
    }
    return made;
  }

  #render(text: string, width: number): readonly string[] {
    const drawn = alignTables(new Markdown(text, 0, 0, this.#library)).render(Math.max(4, width));
    // Keeps only the language of a fence; the code below it is indented.
    const shown = drawn.filter((line) => !line.includes(FENCE) || line.replace(/\x1b\[[0-9;]*m/g, "").trim() !== FENCE);
    return shown.map((line) => {
      const clean = onlyStyles(line.replace(FENCE, ""), { links: "keep" }).trimEnd();
      return fitted(this.#glyphs.rule === "-" ? inAscii(clean) : clean, width);
    });
  }
}

function plain(text: string, width: number): readonly string[] {
  return wrapped(text, width).map((line) => fitted(line, width));
}

function libraryTheme(theme: Theme): MarkdownTheme {
  const plain = (text: string): string => text;
  // A theme without paint is for terminals that understand no escape sequences.
  const styled = theme.paint("strong", "x") !== "x";
  const style = (on: number, off: number) => (styled ? (text: string) => `\x1b[${on}m${text}\x1b[${off}m` : plain);
  return {
    heading: (text) => theme.paint("heading", text),
    link: (text) => theme.paint("accent", text),
    linkUrl: (text) => theme.paint("muted", text),
    code: (text) => theme.paint("code", text),
    codeBlock: plain,
    codeBlockBorder: (text) => `${FENCE}${theme.paint("muted", text.replace(/^`+/, ""))}`,
    quote: (text) => theme.paint("muted", text),
    quoteBorder: (text) => theme.paint("border", text),
    hr: (text) => theme.paint("border", text),
    listBullet: (text) => theme.paint("accent", text),
    bold: (text) => theme.paint("strong", text),
    italic: style(3, 23),
    strikethrough: style(9, 29),
    underline: style(4, 24),
    highlightCode: (code, language) =>
      code.length > MOST_HIGHLIGHTED ? code.split("\n") : [...theme.highlight(code, language)],
  };
}

const IN_ASCII: Readonly<Record<string, string>> = { "─": "-", "│": "|", "━": "-", "┃": "|", "•": "*" };

function inAscii(text: string): string {
  return text.replace(/[\u2500-\u257f•]/g, (character) => IN_ASCII[character] ?? "+");
}

/** Column alignments of Markdown tables from their second row: left, center or right. */
type Alignment = "left" | "center" | "right" | null;

/** Parts of the library that its types hide. It parses the alignment but draws every column flush left. */
interface TableParts {
  renderTable(token: { readonly align: readonly Alignment[] }, ...rest: readonly unknown[]): string[];
  wrapCellText(text: string, width: number): string[];
}

/** Cells are requested row by row, starting with the header, so counting them gives the column. */
function alignTables(markdown: Markdown): Markdown {
  const parts = markdown as unknown as TableParts;
  const renderTable = parts.renderTable.bind(parts);
  const wrapCellText = parts.wrapCellText.bind(parts);
  let alignments: readonly Alignment[] = [];
  let cell = 0;
  parts.renderTable = (token, ...rest) => {
    alignments = token.align;
    cell = 0;
    return renderTable(token, ...rest);
  };
  parts.wrapCellText = (text, width) => {
    const alignment = alignments[cell++ % alignments.length] ?? null;
    return wrapCellText(text, width).map((line) => aligned(line, { width, alignment }));
  };
  return markdown;
}

function aligned(line: string, to: { readonly width: number; readonly alignment: Alignment }): string {
  const free = Math.max(0, to.width - visibleWidth(line));
  if (to.alignment === "right") return " ".repeat(free) + line;
  return to.alignment === "center" ? " ".repeat(Math.floor(free / 2)) + line : line;
}
