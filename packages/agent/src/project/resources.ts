/** Skills, prompt templates and themes provided by extensions. */
import { statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { boughHome } from "@bough/session/session/index.js";
import type { ProjectContext } from "./project-context.js";
import { ownReading, sortedNames } from "./project-files.js";
import { readTemplateFiles } from "./prompt-templates.js";
import { readSkillFiles, skillFilesIn } from "./skills.js";
import { readThemeFiles } from "./theme-files.js";

export interface ResourcePaths {
  readonly cwd: string;
  /** A `SKILL.md`, a folder with one, or a folder of such folders. */
  readonly skillPaths: readonly string[];
  /** Markdown files, or folders with them. */
  readonly promptPaths: readonly string[];
  /** Theme files, or folders with them. */
  readonly themePaths?: readonly string[];
}

/** Reports missing paths as problems. */
export function readResources({
  cwd,
  skillPaths,
  promptPaths,
  themePaths = [],
}: ResourcePaths): Pick<ProjectContext, "templates" | "skills" | "themes" | "problems"> {
  const reading = ownReading(boughHome());
  const missing = [...skillPaths, ...promptPaths, ...themePaths]
    .map((path) => resolve(cwd, path))
    .filter((path) => statSync(path, { throwIfNoEntry: false }) === undefined)
    .map((file) => ({ file, message: "Not found" }));
  const skillFiles = skillPaths.flatMap((path) => skillsAt(resolve(cwd, path)));
  const promptFiles = promptPaths.flatMap((path) => filesAt(resolve(cwd, path)));
  const { skills, problems } = readSkillFiles(skillFiles.map((path) => ({ path, reading })));
  const prompts = readTemplateFiles(promptFiles.map((path) => ({ path, reading })));
  const themeFiles = readThemeFiles(
    themePaths.flatMap((path) => filesAt(resolve(cwd, path))).map((path) => ({ path, reading })),
  );
  const all = [...problems, ...prompts.problems, ...themeFiles.problems];
  const unknown = all.filter(({ file }) => !missing.some((one) => one.file === file));
  return { skills, templates: prompts.templates, themes: themeFiles.themes, problems: [...missing, ...unknown] };
}

function skillsAt(path: string): string[] {
  if (basename(path) === "SKILL.md") return [path];
  return [...skillFilesIn(path)];
}

function filesAt(path: string): string[] {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return [path];
  return sortedNames(path).map((name) => join(path, name));
}
