/** Prompts in Markdown files, used like commands: `/review src/a.ts` sends the text of `review.md`. */
import { basename, join } from "node:path";
import { type ReadTextOptions, readTextFile } from "@bough/session/log/index.js";
import { readFrontMatter } from "./front-matter.js";
import { homeAndProject, type ProjectPlace, type ProjectProblem, sortedNames } from "./project-files.js";

export interface PromptTemplate {
  /** The file name without `.md`. */
  readonly name: string;
  /** From `description` in the front matter, otherwise the first line. */
  readonly description: string;
  readonly argumentHint?: string;
  readonly text: string;
  readonly path: string;
  /** The text has no placeholders; arguments are appended to it. */
  readonly verbatim?: boolean;
}

/** The templates in `prompts/` of Bough's folder and of `.bough`, sorted by name; the project's override the user's. */
export function readPromptTemplates(place: ProjectPlace): {
  readonly templates: readonly PromptTemplate[];
  readonly problems: readonly ProjectProblem[];
} {
  const files = homeAndProject(place, "prompts").flatMap(({ folder, reading }) =>
    sortedNames(folder).map((file) => ({ path: join(folder, file), reading })),
  );
  return readTemplateFiles(files);
}

/** Reads the templates from the `.md` files among these. */
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
    if (/\s|\//.test(name)) problems.push({ file: path, message: "A prompt's file name cannot contain spaces" });
    else if (read.kind === "unreadable") problems.push({ file: path, message: `Not used: ${read.reason}` });
    else if (read.kind === "text") templates.set(name, template(name, path, read.text));
  }
  return { templates: [...templates.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), problems };
}

/**
 * Placeholders for arguments: `$1`; `${1:-text}` with a default; `${@:2}` for all from the second on, `${@:2:3}` for
 * three from there, and the same as `$@[2:]`, `$@[2:3]` and `$@[2]`; `$@` and `$ARGUMENTS` for all.
 */
const PLACEHOLDERS =
  /\$\{(\d+):-([^}]*)\}|\$\{@:(\d+)(?::(\d+))?\}|\$@\[(\d+)(?::(\d*))?\]|\$([1-9]\d*)|\$(?:@|ARGUMENTS\b)/g;

/**
 * Expands `/name arguments`; undefined if there is no such template. Quotes group words and are removed. If the
 * template has no placeholders, the arguments are appended, so that nothing typed is lost. `$10` and above are treated
 * as amounts of money unless that many arguments are given.
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
  // A replacement function, because in a replacement string a typed `$` would be special.
  const filled = found.verbatim === true ? found.text : found.text.replace(PLACEHOLDERS, fill);
  return isFilled || all === "" ? filled : `${filled}\n\n${all}`;
}

/** Splits at spaces outside of quotes. An unclosed quote extends to the end. */
function splitArguments(text: string): string[] {
  const args: string[] = [];
  for (const match of text.matchAll(/"([^"]*)"?|'([^']*)'?|(\S+)/g)) {
    args.push(match[1] ?? match[2] ?? match[3] ?? "");
  }
  return args;
}

function template(name: string, path: string, source: string): PromptTemplate {
  const { fields, body } = readFrontMatter(source);
  const firstLine = body.split("\n").find((line) => line.trim() !== "") ?? "";
  return {
    name,
    description: fields.description ?? firstLine.replace(/^#+\s*/, "").slice(0, 80),
    argumentHint: fields["argument-hint"],
    text: body,
    path,
  };
}
