/** Colors code with a few tones: keywords, strings, comments, numbers. Each grammar is registered when first used. */

import { withoutControls } from "@bough/session/text/index.js";
import type { LanguageFn } from "highlight.js";
import highlighter from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import c from "highlight.js/lib/languages/c";
import cpp from "highlight.js/lib/languages/cpp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import dockerfile from "highlight.js/lib/languages/dockerfile";
import go from "highlight.js/lib/languages/go";
import ini from "highlight.js/lib/languages/ini";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import makefile from "highlight.js/lib/languages/makefile";
import markdown from "highlight.js/lib/languages/markdown";
import php from "highlight.js/lib/languages/php";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import scss from "highlight.js/lib/languages/scss";
import shell from "highlight.js/lib/languages/shell";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import type { PaintTone } from "./paint-tone.js";

/** A grammar is a function that costs little until it is used. */
interface Grammar {
  readonly name: string;
  readonly define: LanguageFn;
}

/** The language names of each grammar, as written after the three backticks. */
const NAMES: readonly (readonly [names: string, define: LanguageFn])[] = [
  ["typescript ts tsx", typescript],
  ["javascript js jsx mjs cjs", javascript],
  ["json jsonl", json],
  ["python py", python],
  ["bash sh shell zsh", bash],
  ["console", shell],
  ["go", go],
  ["rust rs", rust],
  ["java", java],
  ["c h", c],
  ["cpp cc c++ hpp", cpp],
  ["css", css],
  ["scss", scss],
  ["xml html svg", xml],
  ["yaml yml", yaml],
  ["ini toml", ini],
  ["sql", sql],
  ["markdown md", markdown],
  ["diff patch", diff],
  ["ruby rb", ruby],
  ["php", php],
  ["dockerfile", dockerfile],
  ["makefile", makefile],
];

const GRAMMARS: ReadonlyMap<string, Grammar> = new Map(
  NAMES.flatMap(([names, define]) => {
    const all = names.split(" ");
    const grammar = { name: all[0] as string, define };
    return all.map((name) => [name, grammar] as const);
  }),
);

function grammarFor(language: string | undefined): Grammar | undefined {
  return GRAMMARS.get(language?.trim().toLowerCase() ?? "");
}

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

/** Longer code is not colored, because it would take too long. */
const MOST_CHARACTERS = 60_000;

interface HighlightRequest {
  readonly code: string;
  readonly language: string | undefined;
  readonly paint: (tone: PaintTone, text: string) => string;
}

/** Returns one painted string per line. Unknown languages and very long texts are returned without colors. */
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

/** highlight.js returns HTML with nested spans; text gets the tone of the innermost span that has one. */
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
