/** Renders untrusted Markdown as harmless HTML: raw tags are escaped, and links may only be web or mail addresses. */
import { Marked, type RendererObject, type Tokens } from "marked";
import { escapeHtml, type Html, html } from "./html.js";

/** Highlights code as HTML with classes; undefined if the language is unknown. */
export type Highlight = (code: string, language: string) => Html | undefined;

/** Longer texts are shown as they are: parsing takes too long, and nobody formats that much by hand. */
const MOST_MARKDOWN = 60_000;

export function markdownHtml(text: string, highlight: Highlight = inOneColour): Html {
  if (text.length > MOST_MARKDOWN || isDeep(text)) return plainHtml(text);
  try {
    return { html: parserWith(highlight).parse(text) as string };
  } catch {
    // If the parser fails, show the text.
    return plainHtml(text);
  }
}

export function plainHtml(text: string): Html {
  return html`<div class="plain" dir="auto">${text}</div>`;
}

/** The address if a link may use it, otherwise undefined. */
export function safeAddress(href: string): string | undefined {
  // Browsers remove these characters before they parse an address.
  const address = href.replace(/[\x00-\x20\x7f-\x9f]/g, "");
  return /^(?:https?:\/\/|mailto:)/i.test(address) ? address : undefined;
}

const inOneColour: Highlight = () => undefined;
const parsers = new WeakMap<Highlight, Marked>();

/** Creating a parser takes longer than parsing most texts. */
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
      // The page itself has headings above these.
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

/** Left is the page's default. */
function alignment({ align }: Tokens.TableCell): string {
  return align === "right" || align === "center" ? ` class="${align}"` : "";
}

function codeHtml(code: string, language: string, highlight: Highlight): Html {
  const inside = highlight(code, language) ?? html`${code}`;
  return html`<pre class="code" tabindex="0"><code>${inside}</code></pre>`;
}

/** Deeply nested quotes and lists, or thousands of markers, take too long to parse. */
function isDeep(text: string): boolean {
  if (/^(?:[ \t]*(?:>|[-*+][ \t])){12}/m.test(text) || /^[ \t]{60,}(?:[-*+>]|\d+[.)])/m.test(text)) return true;
  let marks = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    // Markers are only paired within a paragraph.
    if (sign === NEWLINE && text.charCodeAt(at + 1) === NEWLINE) marks = 0;
    else if (MARKS.has(sign) && ++marks > MOST_MARKS) return true;
  }
  return false;
}

const NEWLINE = 10;
const MARKS: ReadonlySet<number> = new Set(Array.from("[]*_~`!<(", (sign) => sign.charCodeAt(0)));
const MOST_MARKS = 2000;
