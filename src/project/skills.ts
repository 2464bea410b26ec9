/** Know-how for certain tasks, kept in folders with a `SKILL.md`. The model is told that they exist and reads them when needed. */
import { basename, dirname, join } from "node:path";
import { type ReadTextOptions, readTextFile } from "../log/index.js";
import { readFrontMatter } from "./front-matter.js";
import { homeAndProject, type ProjectPlace, type ProjectProblem, sortedNames } from "./project-files.js";

export interface Skill {
  readonly name: string;
  /** When to use it, for the model. */
  readonly description: string;
  /** The `SKILL.md`; what it refers to is next to it. */
  readonly path: string;
}

/**
 * Skills of `skills/` in Bough's folder and in `.bough`, sorted by name; the project's win. One without a description
 * is reported and not listed: the model could not know when to read it.
 */
export function readSkills(place: ProjectPlace): {
  readonly skills: readonly Skill[];
  readonly problems: readonly ProjectProblem[];
} {
  const files = homeAndProject(place, "skills").flatMap(({ folder, reading }) =>
    sortedNames(folder).map((item) => ({ path: join(folder, item, "SKILL.md"), reading })),
  );
  return readSkillFiles(files);
}

export interface SkillFile {
  readonly path: string;
  readonly reading: ReadTextOptions;
  /** For one that does not say its name; that of its folder by default. */
  readonly name?: string;
}

/** The skills in these files. Those that are not there are no problem. */
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
    const { fields } = readFrontMatter(read.text);
    const description = fields.description?.replace(/\s+/g, " ").trim() ?? "";
    if (description === "") {
      problems.push({ file: path, message: "A skill needs a description between two --- lines at its top" });
      continue;
    }
    const name = fields.name?.trim() || fallback;
    skills.set(name, { name, description, path });
  }
  return { skills: [...skills.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), problems };
}
