/**
 * Skills: know-how for certain tasks, in folders with a `SKILL.md`. The model gets a list and reads them when needed.
 */
import { existsSync, lstatSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type ReadTextOptions, readTextFile } from "@bough/session/log/index.js";
import { escapeXml } from "@bough/session/text/index.js";
import { readFrontMatter } from "./front-matter.js";
import { homeAndProject, type ProjectPlace, type ProjectProblem, sortedNames } from "./project-files.js";
import type { PromptTemplate } from "./prompt-templates.js";

export interface Skill {
  readonly name: string;
  /** When to use it, for the model. */
  readonly description: string;
  /** The `SKILL.md`; files that it refers to are next to it. */
  readonly path: string;
  /** The text below the front matter. */
  readonly text?: string;
  /** Only usable with `/skill:name`; hidden from the model. */
  readonly forPeople?: boolean;
}

/** Deeper folders are not searched. */
const DEEPEST = 8;

/**
 * The skills in `skills/` of Bough's folder and of `.bough`, at any depth, sorted by name; the project's override the
 * user's. A skill without a description or with invalid front matter is reported and skipped, because the model could
 * not know when to use it.
 */
export function readSkills(place: ProjectPlace): {
  readonly skills: readonly Skill[];
  readonly problems: readonly ProjectProblem[];
} {
  const files = homeAndProject(place, "skills").flatMap(({ folder, reading }) =>
    sortedNames(folder).flatMap((item) => skillFilesIn(join(folder, item)).map((path) => ({ path, reading }))),
  );
  return readSkillFiles(files);
}

/** The `SKILL.md` of a folder, or those of its subfolders. Does not follow links to folders. */
export function skillFilesIn(folder: string, depth = 1): readonly string[] {
  const own = join(folder, "SKILL.md");
  if (depth > DEEPEST || existsSync(own) || lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    return [own];
  }
  const below = sortedNames(folder).filter((name) => !name.startsWith(".") && name !== "node_modules");
  return [own, ...below.flatMap((name) => skillFilesIn(join(folder, name), depth + 1))];
}

/** Skills as prompt templates, for `/skill:name words`. */
export function skillTemplates(skills: readonly Skill[]): readonly PromptTemplate[] {
  return skills.map(({ name, description, path, text = `Read ${path}.` }) => ({
    name: `skill:${name}`,
    description,
    text: `<skill name="${escapeXml(name)}" location="${escapeXml(path)}">\nReferences are relative to ${dirname(path)}.\n\n${text}\n</skill>`,
    path,
    verbatim: true,
  }));
}

export interface SkillFile {
  readonly path: string;
  readonly reading: ReadTextOptions;
  /** Name for a skill without one; the name of its folder by default. */
  readonly name?: string;
}

/** Reads the skills from these files. Missing files are ignored. */
export function readSkillFiles(files: readonly SkillFile[]): {
  readonly skills: readonly Skill[];
  readonly problems: readonly ProjectProblem[];
} {
  const skills = new Map<string, Skill>();
  const problems: ProjectProblem[] = [];
  for (const { path, reading, name: fallback = basename(dirname(path)) } of files) {
    const read = readTextFile(path, reading);
    if (read.kind === "unreadable") problems.push({ file: path, message: `Not used: ${read.reason}` });
    if (read.kind !== "text") continue;
    const { fields, body, problem } = readFrontMatter(read.text);
    if (problem !== undefined) {
      problems.push({ file: path, message: `Not used: the front matter is not valid. ${problem}` });
      continue;
    }
    const description = fields.description?.replace(/\s+/g, " ").trim() ?? "";
    if (description === "") {
      problems.push({ file: path, message: "A skill needs a description between two --- lines at the top" });
      continue;
    }
    const name = fields.name?.trim() || fallback;
    const forPeople = fields["disable-model-invocation"] === "true" || undefined;
    skills.set(name, { name, description, path, text: body, forPeople });
  }
  return { skills: [...skills.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), problems };
}
