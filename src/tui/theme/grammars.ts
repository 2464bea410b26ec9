/** The grammars that code is coloured with. Each is a function, and costs little until its language comes up. */
import type { LanguageFn } from "highlight.js";
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

interface Grammar {
  readonly name: string;
  readonly define: LanguageFn;
}

/** Names people write behind the three backquotes, for each grammar. */
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

/** The grammar for what somebody wrote behind the backquotes. */
export function grammarFor(language: string | undefined): Grammar | undefined {
  return GRAMMARS.get(language?.trim().toLowerCase() ?? "");
}
