/** Prompts kept as Markdown files, called like commands: `/review src/a.ts` is the text of `review.md`. */
import { basename, join } from "node:path";
import { type ReadTextOptions, readTextFile } from "../log/index.js";
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
 * The text that `/name arguments` represents, or undefined if no template has the name. `$1` to `$9` are single
 * arguments, `$@` and `$ARGUMENTS` all of them; quotes keep words together. Arguments that a template has no place for
 * come after it, so that nothing typed is lost.
 */
export function expandPromptTemplate(text: string, templates: readonly PromptTemplate[]): string | undefined {
  const match = /^\/(\S+)(?:\s+([\s\S]*))?$/.exec(text.trim());
  const found = match === null ? undefined : templates.find((candidate) => candidate.name === match[1]);
  if (found === undefined) return undefined;
  const all = (match?.[2] ?? "").trim();
  const args = splitArguments(all);
  const places = /\$(?:([1-9])(?!\d)|@|ARGUMENTS\b)/g;
  if (!places.test(found.text)) return all === "" ? found.text : `${found.text}\n\n${all}`;
  // A function as replacement: in a string, `$` in what was typed would be special.
  return found.text.replace(places, (_whole, digit: string | undefined) =>
    digit === undefined ? all : (args[Number(digit) - 1] ?? ""),
  );
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
