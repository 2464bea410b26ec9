/** Prompts kept as Markdown files, called like commands: `/review src/a.ts` is the text of `review.md`. */
import { basename, join } from "node:path";
import { type ReadTextOptions, readTextFile } from "@bough/session/log/index.js";
import { readFrontMatter } from "./front-matter.js";
import { homeAndProject, type ProjectPlace, type ProjectProblem, sortedNames } from "./project-files.js";

export interface PromptTemplate {
  /** The file's name without `.md`. */
  readonly name: string;
  /** From `description` at the top of the file, else its first line. */
  readonly description: string;
  readonly argumentHint?: string;
  readonly text: string;
  readonly path: string;
  /** The text has no places for arguments, whatever signs are in it; they come after it. */
  readonly verbatim?: boolean;
}

/** Templates of `prompts/` in Bough's folder and in `.bough`, by name; the project's win. */
export function readPromptTemplates(place: ProjectPlace): {
  readonly templates: readonly PromptTemplate[];
  readonly problems: readonly ProjectProblem[];
} {
  const files = homeAndProject(place, "prompts").flatMap(({ folder, reading }) =>
    sortedNames(folder).map((file) => ({ path: join(folder, file), reading })),
  );
  return readTemplateFiles(files);
}

/** The templates in those of these files that end in `.md`. */
export function readTemplateFiles(files: readonly { readonly path: string; readonly reading: ReadTextOptions }[]): {
  readonly templates: readonly PromptTemplate[];
  readonly problems: readonly ProjectProblem[];
} {
  const templates = new Map<string, PromptTemplate>();
  const problems: ProjectProblem[] = [];
  for (const { path, reading } of files) {
    const file = basename(path);
    if (!file.endsWith(".md") || file === ".md") continue;
    const name = file.slice(0, -".md".length);
    const read = readTextFile(path, reading);
    if (/\s|\//.test(name)) problems.push({ file: path, message: "A prompt's file name cannot hold spaces" });
    else if (read.kind === "unreadable") problems.push({ file: path, message: `Not used: ${read.reason}` });
    else if (read.kind === "text") templates.set(name, template(name, path, read.text));
  }
  return { templates: [...templates.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), problems };
}

/**
 * Places for arguments: `${1:-text}` with a text for one that is not given, `${@:2}` and `${@:2:3}` from the second
 * one on and three from there, `$@[2:]`, `$@[2:3]` and `$@[2]` in the same way, `$1`, and all with `$@` and `$ARGUMENTS`.
 */
const PLACES =
  /\$\{(\d+):-([^}]*)\}|\$\{@:(\d+)(?::(\d+))?\}|\$@\[(\d+)(?::(\d*))?\]|\$([1-9]\d*)|\$(?:@|ARGUMENTS\b)/g;

/**
 * The text that `/name arguments` represents, or undefined if no template has the name. Quotes keep words together and
 * are not part of them. Arguments that a template has no place for come after it, so that nothing typed is lost. A
 * number over nine is an amount of money unless that many arguments are given.
 */
export function expandPromptTemplate(text: string, templates: readonly PromptTemplate[]): string | undefined {
  const match = /^\/(\S+)(?:\s+([\s\S]*))?$/.exec(text.trim());
  const found = match === null ? undefined : templates.find((candidate) => candidate.name === match[1]);
  if (found === undefined) return undefined;
  const all = (match?.[2] ?? "").trim();
  const args = splitArguments(all);
  let isFilled = false;
  const fill = (place: string, ...groups: readonly (string | undefined)[]): string => {
    const [orElse, fallback, from = groups[4], count = groups[5], , , single] = groups;
    if (single !== undefined && single.length > 1 && args.length < Number(single)) return place;
    isFilled = true;
    if (orElse !== undefined) return args[Number(orElse) - 1] || (fallback ?? "");
    if (single !== undefined) return args[Number(single) - 1] ?? "";
    if (from === undefined) return args.join(" ");
    const start = Math.max(0, Number(from) - 1);
    return args.slice(start, count === undefined || count === "" ? undefined : start + Number(count)).join(" ");
  };
  // A function as replacement: in a string, `$` in what was typed would be special.
  const filled = found.verbatim === true ? found.text : found.text.replace(PLACES, fill);
  return isFilled || all === "" ? filled : `${filled}\n\n${all}`;
}

/** Words, with quotes keeping those between them together. A quote that is not closed reaches to the end. */
function splitArguments(text: string): string[] {
  const args: string[] = [];
  for (const match of text.matchAll(/"([^"]*)"?|'([^']*)'?|(\S+)/g)) {
    args.push(match[1] ?? match[2] ?? match[3] ?? "");
  }
  return args;
}

function template(name: string, path: string, source: string): PromptTemplate {
  const { fields, body } = readFrontMatter(source);
  const hint = fields["argument-hint"];
  const firstLine = body.split("\n").find((line) => line.trim() !== "") ?? "";
  return {
    name,
    description: fields.description ?? firstLine.replace(/^#+\s*/, "").slice(0, 80),
    ...(hint === undefined ? {} : { argumentHint: hint }),
    text: body,
    path,
  };
}
