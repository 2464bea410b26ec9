/** Everything besides settings that the project and the user's own folder provide for the agent. */
import { boughHome } from "@bough/session/session/index.js";
import { type AgentDescription, readAgentFiles } from "./agent-files.js";
import { type ContextFile, readContextFiles } from "./context-files.js";
import type { ProjectProblem } from "./project-files.js";
import { type PromptTemplate, readPromptTemplates } from "./prompt-templates.js";
import { readSkills, type Skill } from "./skills.js";
import { readThemes, type ThemeFile } from "./theme-files.js";

export interface ProjectContext {
  readonly contextFiles: readonly ContextFile[];
  readonly templates: readonly PromptTemplate[];
  readonly skills: readonly Skill[];
  /** Agents that the model can have work for it. */
  readonly agents?: readonly AgentDescription[];
  /** Terminal themes, besides the built-in ones. */
  readonly themes?: readonly ThemeFile[];
  /** What could not be used, and why. */
  readonly problems: readonly ProjectProblem[];
}

/** An empty project context. */
export const NO_PROJECT: ProjectContext = { contextFiles: [], templates: [], skills: [], problems: [] };

/** Read once at the start, because a running agent must keep the same system prompt. */
export function readProjectContext(place: {
  readonly cwd: string;
  readonly home?: string;
  readonly userHome?: string;
  /** Whether links of the project may lead out of it. Default: no. */
  readonly trusted?: boolean;
}): ProjectContext {
  const { cwd, userHome, home = boughHome(), trusted = false } = place;
  const files = readContextFiles({ cwd, home, trusted, userHome });
  const prompts = readPromptTemplates({ cwd, home, trusted });
  const skillFiles = readSkills({ cwd, home, trusted });
  const themeFiles = readThemes({ cwd, home, trusted });
  const agentFiles = readAgentFiles({ cwd, home, trusted });
  return {
    contextFiles: files.files,
    templates: prompts.templates,
    skills: skillFiles.skills,
    themes: themeFiles.themes,
    agents: agentFiles.agents,
    problems: [files, prompts, skillFiles, themeFiles, agentFiles].flatMap(({ problems }) => problems),
  };
}
