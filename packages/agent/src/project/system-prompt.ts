import { withoutControls } from "@bough/session/text/index.js";
import type { Tool } from "../tool/index.js";
import type { ContextFile } from "./context-files.js";
import type { Skill } from "./skills.js";

export interface SystemPromptParts {
  readonly cwd: string;
  readonly tools: readonly Pick<Tool, "name" | "promptSnippet">[];
  readonly contextFiles: readonly ContextFile[];
  readonly skills: readonly Skill[];
  /** Rules from tools. */
  readonly guidelines?: readonly string[];
  /** Text to add at the end. */
  readonly append?: string;
}

/**
 * Builds the system prompt. It depends only on its parts, in the given order, and on nothing that changes between
 * requests, such as the time: providers cache by prefix, and this is the start of every request.
 */
export function systemPrompt(parts: SystemPromptParts): string {
  const { cwd, tools, contextFiles, skills, guidelines = [], append = "" } = parts;
  const has = (name: string) => tools.some((tool) => tool.name === name);
  const sections = [
    "You are a coding agent that works in a user's project through Bough. Help with what they ask: read before you change, keep changes small and in the style of the project, check your work where possible, and say plainly what you did, what you did not do and what you are unsure of.",
    `Current working directory: ${oneLine(cwd)}`,
  ];
  const habits = HABITS.filter((habit) => habit.needs.every(has)).map((habit) => `- ${habit.text}`);
  habits.push(...guidelines.map((text) => `- ${oneLine(text)}`));
  if (habits.length > 0) sections.push(`Working with tools:\n${habits.join("\n")}`);
  const snippets = tools.flatMap(({ name, promptSnippet }) =>
    promptSnippet ? [`- ${name}: ${oneLine(promptSnippet)}`] : [],
  );
  if (snippets.length > 0) sections.push(`More tools:\n${snippets.join("\n")}`);
  if (contextFiles.length > 0) {
    const files = contextFiles.map(instructions);
    sections.push(
      `Instructions from the user and the project; if they disagree, the later one wins:\n\n${files.join("\n\n")}`,
    );
  }
  // Without the read tool the model could not use them.
  const listed = skills.filter(({ forPeople }) => forPeople !== true);
  if (listed.length > 0 && has("read")) {
    const list = listed.map((skill) => `- ${oneLine(`${skill.name}: ${skill.description} (${skill.path})`)}`);
    sections.push(
      `Skills: know-how for certain tasks. When one fits the task, read its file first; paths in it are relative to its folder.\n${list.join("\n")}`,
    );
  }
  if (append.trim() !== "") sections.push(append);
  return sections.join("\n\n");
}

/** Removes line breaks, for example in folder names, because the next line could look like an instruction. */
function oneLine(text: string): string {
  return text.replace(/[\r\n\u2028\u2029]+/g, " ");
}

/** Escapes tags, so that a file cannot end its block or start another one. */
function instructions({ path, text }: ContextFile): string {
  const inside = text.replace(/<(?=\/?instructions\b)/gi, "&lt;");
  const name = withoutControls(path).replace(/["<>&\s]/g, (sign) => (sign === " " ? sign : `&#${sign.charCodeAt(0)};`));
  return `<instructions path="${name}">\n${inside}\n</instructions>`;
}

const HABITS: readonly { readonly needs: readonly string[]; readonly text: string }[] = [
  {
    needs: [],
    text: "Calls that do not depend on each other can be made together; they run in parallel, in no particular order.",
  },
  { needs: ["read"], text: "Use read to look at files, not a shell command." },
  { needs: ["edit"], text: "Use edit for changes to existing files; the text to replace must match exactly." },
  { needs: ["write"], text: "Use write for new files and complete rewrites only." },
  { needs: ["grep"], text: "Use grep to search contents; it skips ignored files." },
  { needs: ["find"], text: "Use find to look for files by name; it skips ignored files." },
  { needs: ["bash"], text: "Use bash to build, test and run programs; it starts in the working directory each time." },
];
