/** Code with few tones: keywords, strings, comments, numbers. A grammar is set up when its language first comes up. */
import highlighter from "highlight.js/lib/core";
import { withoutControls } from "../../text/index.js";
import { grammarFor } from "./grammars.js";
import type { PaintTone } from "./theme.js";

const TONES: Readonly<Record<string, PaintTone>> = {
  keyword: "note",
  built_in: "accent",
  type: "accent",
  literal: "accent",
  number: "accent",
  symbol: "accent",
  string: "good",
  regexp: "good",
  comment: "muted",
  quote: "muted",
  meta: "muted",
  title: "strong",
  section: "strong",
  name: "note",
  attr: "accent",
  attribute: "accent",
  addition: "added",
  deletion: "removed",
};

/** Above this, colours cost more than they help. */
const MOST_CHARACTERS = 60_000;

interface HighlightRequest {
  readonly code: string;
  readonly language: string | undefined;
  readonly paint: (tone: PaintTone, text: string) => string;
}

/** One painted string for each line. Unknown languages and very long texts come back without colours. */
export function highlightLines({ code, language, paint }: HighlightRequest): readonly string[] {
  const text = withoutControls(code).replaceAll("\t", "  ");
  const html = text.length > MOST_CHARACTERS ? undefined : highlighted(text, language);
  return html === undefined ? text.split("\n") : paintHtml(html, paint);
}

function highlighted(code: string, language: string | undefined): string | undefined {
  const grammar = grammarFor(language);
  if (grammar === undefined) return undefined;
  const { name, define } = grammar;
  if (highlighter.getLanguage(name) === undefined) highlighter.registerLanguage(name, define);
  return highlighter.highlight(code, { language: name, ignoreIllegals: true }).value;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };

/** The library answers in HTML with nested spans; every line gets the tone of the innermost one that has one. */
function paintHtml(html: string, paint: HighlightRequest["paint"]): readonly string[] {
  const lines: string[] = [];
  const open: (PaintTone | undefined)[] = [];
  let line = "";
  for (const [token] of html.matchAll(/<span class="[^"]*">|<\/span>|\n|[^<\n]+/g)) {
    if (token === "\n") {
      lines.push(line);
      line = "";
    } else if (token === "</span>") open.pop();
    else if (token.startsWith("<span")) open.push(toneOf(token));
    else {
      const text = token.replace(/&(amp|lt|gt|quot|#x27);/g, (whole, name: string) => ENTITIES[name] ?? whole);
      line += paint(open.findLast((tone) => tone !== undefined) ?? "text", text);
    }
  }
  lines.push(line);
  return lines;
}

function toneOf(tag: string): PaintTone | undefined {
  const name = /hljs-([a-z_]+)/.exec(tag)?.[1] ?? "";
  return Object.hasOwn(TONES, name) ? TONES[name] : undefined;
}
