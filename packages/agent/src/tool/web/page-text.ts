/** Converts a page to text for a model: HTML becomes Markdown, everything else stays as is. */
import { withoutControls } from "@bough/session/text/index.js";

export interface PageBody {
  readonly type: string;
  readonly charset: string | undefined;
  readonly body: Buffer;
}

/** Longer HTML is truncated first, because the conversion cannot be interrupted. */
const MOST_HTML = 1024 * 1024;
/** Deeper nesting than any normal page has. */
const MOST_DEPTH = 500;

export async function pageText({ type, charset, body }: PageBody): Promise<string> {
  const isHtml =
    /^(?:text\/html|application\/xhtml)/.test(type) ||
    (type === "" && /^\s*<(?:!doctype|html)/i.test(body.toString("latin1", 0, 200)));
  const text = decoded(body, charset ?? (isHtml ? charsetIn(body) : undefined));
  return tidy(isHtml ? await htmlText(text) : text);
}

function decoded(body: Buffer, charset: string | undefined): string {
  try {
    return new TextDecoder(charset ?? "utf-8").decode(body);
  } catch {
    // Unknown charset: fall back to UTF-8.
    return new TextDecoder().decode(body);
  }
}

function charsetIn(body: Buffer): string | undefined {
  return /<meta[^>]{0,200}charset\s*=\s*["']?([\w.:-]+)/i.exec(body.toString("latin1", 0, 2048))?.[1];
}

async function htmlText(html: string): Promise<string> {
  const { default: Turndown } = await import("turndown");
  const service = new Turndown({ headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-", hr: "---" });
  service.remove(["script", "style", "noscript", "iframe", "object", "template", "title", "head"]);
  // Inline images (data: URLs) would be megabytes of text.
  service.addRule("images", {
    filter: "img",
    replacement: (_content, node) => {
      const [alt, source] = ["alt", "src"].map((name) => ((node as Element).getAttribute(name) ?? "").trim());
      if (source === undefined || source === "" || source.startsWith("data:")) return alt ?? "";
      return `![${alt}](${source})`;
    },
  });
  const start = withoutElements(html.slice(0, MOST_HTML));
  const title = /<title[^<>]{0,200}>([^<]{0,500})<\/title>/i.exec(start)?.[1]?.trim();
  const markdown = depthOf(start) > MOST_DEPTH ? withoutTags(start) : service.turndown(start);
  return title === undefined || title === "" ? markdown : `# ${withoutTags(title)}\n\n${markdown}`;
}

/** Removes scripts, styles and SVG. Not with a regular expression, which is quadratic if end tags are missing. */
function withoutElements(html: string): string {
  let text = html;
  for (const name of ["script", "style", "svg"]) {
    const lower = text.toLowerCase();
    const kept: string[] = [];
    let from = 0;
    while (from < text.length) {
      const start = lower.indexOf(`<${name}`, from);
      if (start < 0) break;
      kept.push(text.slice(from, start));
      const end = lower.indexOf(`</${name}`, start);
      from = end < 0 ? text.length : end + name.length + 2;
      const close = text.indexOf(">", from);
      if (end >= 0 && close >= 0) from = close + 1;
    }
    text = kept.join("") + text.slice(from);
  }
  return text;
}

/** An upper bound of the nesting depth: some elements are closed implicitly. */
function depthOf(html: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [, slash, name] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)/gi)) {
    if (/^(?:area|base|br|col|embed|hr|img|input|li|link|meta|p|param|source|td|th|tr|track|wbr)$/i.test(name ?? ""))
      continue;
    depth += slash === "" ? 1 : -1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

function withoutTags(html: string): string {
  return html
    .replace(/<[^<>]*>/g, " ")
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => ENTITIES[name] ?? " ");
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", nbsp: " " };

function tidy(text: string): string {
  return text
    .split(/\r\n|\r|\n/)
    .map((line) => withoutControls(line).trimEnd())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
