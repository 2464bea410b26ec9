/** Markdown that someone else wrote, as HTML that can do nothing: no tags of its own, no address but web and mail. */
import { Marked, type RendererObject, type Tokens } from "marked";
import { escapeHtml, type Html, html } from "./html.js";

/** Gives code in colors, as HTML with classes; undefined if it does not know the language. */
export type Highlight = (code: string, language: string) => Html | undefined;

/** A longer text is shown as is: parsing takes too long, and no one formats so much by hand. */
const MOST_MARKDOWN = 60_000;

export function markdownHtml(text: string, highlight: Highlight = inOneColour): Html {
  if (text.length > MOST_MARKDOWN || isDeep(text)) return plainHtml(text);
  try {
    return { html: parserWith(highlight).parse(text) as string };
  } catch {
    // Whatever the parser stumbles over is still a text.
    return plainHtml(text);
  }
}

export function plainHtml(text: string): Html {
  return html`<div class="plain" dir="auto">${text}</div>`;
}

/** An address a link may have: undefined for any other. */
export function safeAddress(href: string): string | undefined {
  // Browsers drop these from an address before they look at it.
  const address = href.replace(/[\x00-\x20\x7f-\x9f]/g, "");
  return /^(?:https?:\/\/|mailto:)/i.test(address) ? address : undefined;
}

const inOneColour: Highlight = () => undefined;
const parsers = new WeakMap<Highlight, Marked>();

/** Making one takes longer than most texts do. */
function parserWith(highlight: Highlight): Marked {
  let parser = parsers.get(highlight);
  if (parser === undefined) {
    parser = new Marked({ gfm: true, async: false });
    parser.use({ renderer: rendererWith(highlight) });
    parsers.set(highlight, parser);
  }
  return parser;
}

function rendererWith(highlight: Highlight): RendererObject {
  return {
    html({ text }: Tokens.HTML | Tokens.Tag) {
      return escapeHtml(text);
    },
    heading({ tokens, depth }) {
      // The page has headings of its own above these.
      const level = Math.min(6, depth + 2);
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>\n`;
    },
    code({ text, lang }) {
      return codeHtml(text, (lang ?? "").split(/\s/)[0] ?? "", highlight).html;
    },
    link({ href, tokens }) {
      const words = this.parser.parseInline(tokens);
      const address = safeAddress(href);
      if (address === undefined) return words;
      return `<a href="${escapeHtml(address)}" target="_blank" rel="noopener noreferrer nofollow">${words}</a>`;
    },
    image({ href, text }) {
      const address = safeAddress(href);
      const words = `[image${text === "" ? "" : `: ${text}`}]`;
      if (address === undefined) return escapeHtml(words);
      return html`<a href="${address}" target="_blank" rel="noopener noreferrer nofollow">${words}</a>`.html;
    },
    checkbox({ checked }) {
      return checked ? "☑ " : "☐ ";
    },
    table(token) {
      const row = (cells: readonly Tokens.TableCell[], tag: string) =>
        `<tr>${cells.map((cell) => `<${tag}${alignment(cell)}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join("")}</tr>`;
      const head = row(token.header, "th");
      const body = token.rows.map((cells) => row(cells, "td")).join("");
      return `<div class="table" tabindex="0"><table><thead>${head}</thead><tbody>${body}</tbody></table></div>\n`;
    },
  };
}

/** Left is how the page draws cells anyway. */
function alignment({ align }: Tokens.TableCell): string {
  return align === "right" || align === "center" ? ` class="${align}"` : "";
}

function codeHtml(code: string, language: string, highlight: Highlight): Html {
  const inside = highlight(code, language) ?? html`${code}`;
  return html`<pre class="code" tabindex="0"><code>${inside}</code></pre>`;
}

/** Quotes and lists far inside each other, and marks by the thousand, cost more than they say. */
function isDeep(text: string): boolean {
  if (/^(?:[ \t]*(?:>|[-*+][ \t])){12}/m.test(text) || /^[ \t]{60,}(?:[-*+>]|\d+[.)])/m.test(text)) return true;
  let marks = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    // Marks are paired inside of a paragraph only.
    if (sign === NEWLINE && text.charCodeAt(at + 1) === NEWLINE) marks = 0;
    else if (MARKS.has(sign) && ++marks > MOST_MARKS) return true;
  }
  return false;
}

const NEWLINE = 10;
const MARKS: ReadonlySet<number> = new Set(Array.from("[]*_~`!<(", (sign) => sign.charCodeAt(0)));
const MOST_MARKS = 2000;
