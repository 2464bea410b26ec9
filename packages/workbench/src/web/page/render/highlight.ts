/** Highlights code in the languages that agents write most. */
import hljs from "highlight.js/lib/core";
import bash from "highlight.js/lib/languages/bash";
import cpp from "highlight.js/lib/languages/cpp";
import css from "highlight.js/lib/languages/css";
import diff from "highlight.js/lib/languages/diff";
import go from "highlight.js/lib/languages/go";
import java from "highlight.js/lib/languages/java";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import ruby from "highlight.js/lib/languages/ruby";
import rust from "highlight.js/lib/languages/rust";
import sql from "highlight.js/lib/languages/sql";
import typescript from "highlight.js/lib/languages/typescript";
import xml from "highlight.js/lib/languages/xml";
import yaml from "highlight.js/lib/languages/yaml";
import type { Html } from "../../html/html.js";

const LANGUAGES = { bash, cpp, css, diff, go, java, javascript, json, python, ruby, rust, sql, typescript, xml, yaml };
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);

/** Longer code is not highlighted, because it would block the page. */
const MOST_CODE = 20_000;

export function highlightCode(code: string, language: string): Html | undefined {
  if (code.length > MOST_CODE || hljs.getLanguage(language) === undefined) return undefined;
  return { html: hljs.highlight(code, { language, ignoreIllegals: true }).value };
}
