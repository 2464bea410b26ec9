/** Everything a project and a user's own folder tell the agent next to settings. */
import { boughHome } from "@bough/session/session/index.js";
import { type ContextFile, readContextFiles } from "./context-files.js";
import type { ProjectProblem } from "./project-files.js";
import { type PromptTemplate, readPromptTemplates } from "./prompt-templates.js";
import { readSkills, type Skill } from "./skills.js";
import { readThemes, type ThemeFile } from "./theme-files.js";

export interface ProjectContext {
  readonly contextFiles: readonly ContextFile[];
  readonly templates: readonly PromptTemplate[];
  readonly skills: readonly Skill[];
  /** Themes for the terminal next to Bough's own. */
  readonly themes?: readonly ThemeFile[];
  /** What was not used, and why. */
  readonly problems: readonly ProjectProblem[];
}

/** A project that brings nothing. */
export const NO_PROJECT: ProjectContext = { contextFiles: [], templates: [], skills: [], problems: [] };

/** Reads it from disk, once: a running agent keeps what it started with, so that its system prompt stays the same. */
export function readProjectContext(place: {
  readonly cwd: string;
  readonly home?: string;
  readonly userHome?: string;
  /** Whether links of the project may lead out of it. Default: no. */
  readonly trusted?: boolean;
}): ProjectContext {
  const { cwd, userHome, home = boughHome(), trusted = false } = place;
  const files = readContextFiles({ cwd, home, trusted, ...(userHome === undefined ? {} : { userHome }) });
  const prompts = readPromptTemplates({ cwd, home, trusted });
  const known = readSkills({ cwd, home, trusted });
  const looks = readThemes({ cwd, home, trusted });
  return {
    contextFiles: files.files,
    templates: prompts.templates,
    skills: known.skills,
    themes: looks.themes,
    problems: [...files.problems, ...prompts.problems, ...known.problems, ...looks.problems],
  };
}
