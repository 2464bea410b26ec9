/** Agents that the model can have work for it, described in Markdown files: front matter, and instructions below it. */
import { basename, join } from "node:path";
import { type ReadTextOptions, readTextFile } from "@bough/session/log/index.js";
import { firstWords } from "@bough/session/text/index.js";
import { splitFrontMatter } from "./front-matter.js";
import { ownReading, type ProjectPlace, type ProjectProblem, projectReading, sortedNames } from "./project-files.js";

export interface AgentDescription {
  /** The file name without `.md`, or the name in the front matter. */
  readonly name: string;
  /** When to use it, for the model. */
  readonly description: string;
  /** `provider/model`. Default: the model of the agent that starts it. */
  readonly model?: string;
  /** The tools it may use, if the agent that starts it has them. Default: all of those. */
  readonly tools?: readonly string[];
  /** Tools it may not use. */
  readonly withoutTools?: readonly string[];
  /** Another agent that does the work, such as `claude`. */
  readonly driver?: string;
  /** It changes and runs nothing. */
  readonly readOnly?: boolean;
  /** Its instructions: the text below the front matter. */
  readonly text: string;
  readonly path: string;
}

const MOST_AGENTS = 100;
const MOST_TEXT = 50_000;
const MOST_TOOLS = 200;
/** A name the model can write, and a terminal can show. */
const NAME = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,59}$/u;

/** Claude Code's names of tools. */
const TOOLS_OF_CLAUDE: Readonly<Record<string, string>> = {
  Read: "read",
  Write: "write",
  Edit: "edit",
  MultiEdit: "edit",
  Bash: "bash",
  Grep: "grep",
  Glob: "find",
  LS: "ls",
  WebFetch: "web_fetch",
  WebSearch: "web_search",
  TodoWrite: "todo",
  Task: "spawn",
  Agent: "spawn",
};

/** Claude Code's short names of models, which name no provider. */
const MODELS_OF_CLAUDE: ReadonlySet<string> = new Set(["sonnet", "opus", "haiku", "inherit"]);

/** Fields of Claude Code that would give an agent more than the one that starts it has, or change what it runs. */
const NOT_GRANTED = ["permissionMode", "mcpServers", "hooks"];

interface AgentFolder {
  readonly folder: string;
  readonly reading: ReadTextOptions;
}

/**
 * The agents in `agents/` of Bough's folder and, if the project is trusted, in `.claude/agents` and `.bough/agents`,
 * sorted by name; later folders override earlier ones. Files are data: what cannot be used is reported, once.
 */
export function readAgentFiles(place: ProjectPlace): {
  readonly agents: readonly AgentDescription[];
  readonly problems: readonly ProjectProblem[];
} {
  const folders: AgentFolder[] = [{ folder: join(place.home, "agents"), reading: ownReading(place.home) }];
  if (place.trusted) {
    const reading = projectReading(place);
    for (const folder of agentFolders(place.cwd)) folders.push({ folder, reading });
  }
  const agents = new Map<string, AgentDescription>();
  const problems: ProjectProblem[] = [];
  for (const { path, reading } of folders.flatMap(filesIn).slice(0, MOST_AGENTS)) {
    const read = readTextFile(path, reading);
    if (read.kind === "unreadable") problems.push({ file: path, message: `Not used: ${read.reason}` });
    if (read.kind !== "text") continue;
    const { agent, messages } = agentIn(path, read.text);
    problems.push(...messages.map((message) => ({ file: path, message })));
    if (agent !== undefined) agents.set(agent.name, agent);
  }
  return { agents: [...agents.values()].sort((a, b) => (a.name < b.name ? -1 : 1)), problems };
}

/** The agent files of a project, which are used only if it is trusted. */
export function projectAgentFiles(cwd: string): readonly string[] {
  return agentFolders(cwd).flatMap((folder) => filesIn({ folder, reading: {} }).map(({ path }) => path));
}

function agentFolders(cwd: string): readonly string[] {
  return [join(cwd, ".claude", "agents"), join(cwd, ".bough", "agents")];
}

function filesIn({ folder, reading }: AgentFolder) {
  const names = sortedNames(folder).filter((name) => name.endsWith(".md") && name !== ".md");
  return names.map((name) => ({ path: join(folder, name), reading }));
}

function agentIn(path: string, source: string): { agent?: AgentDescription; messages: readonly string[] } {
  const { head, body } = splitFrontMatter(source);
  const fields = fieldsIn(head ?? []);
  const name = textOf(fields.get("name")) || basename(path, ".md");
  const description = firstWords(textOf(fields.get("description")), 2_000);
  if (!NAME.test(name)) return { messages: ["Not used: an agent's name has letters, digits, dots and dashes"] };
  if (description === "") {
    return { messages: ["An agent needs a description between two --- lines at the top"] };
  }
  const messages: string[] = [];
  const model = textOf(fields.get("model"));
  const driver = textOf(fields.get("driver"));
  const mode = textOf(fields.get("permissionMode"));
  const readOnly = mode === "plan" || mode === "read-only";
  const tools = toolsOf(fields.get("tools"), messages);
  const withoutTools = toolsOf(fields.get("disallowedTools"), messages);
  const denied = NOT_GRANTED.filter((field) => fields.has(field) && !(field === "permissionMode" && readOnly));
  if (denied.length > 0) {
    messages.push(`${denied.join(" and ")} not used: an agent has at most the rights of the one that starts it`);
  }
  const agent = {
    name,
    description,
    ...(model === "" || MODELS_OF_CLAUDE.has(model) ? {} : { model }),
    ...(tools === undefined ? {} : { tools }),
    ...(withoutTools === undefined ? {} : { withoutTools }),
    ...(driver === "" ? {} : { driver }),
    ...(readOnly ? { readOnly } : {}),
    text: body.slice(0, MOST_TEXT),
    path,
  };
  return { agent, messages };
}

type Value = string | readonly string[];

/** Fields on one line, blocks, and lists: `tools: [read, grep]`, or one `- read` per line. */
function fieldsIn(head: readonly string[]): ReadonlyMap<string, Value> {
  const fields = new Map<string, Value>();
  for (let n = 0; n < head.length; n++) {
    const match = /^([A-Za-z][\w-]{0,60}):[ \t]*(.*?)[ \t]*$/.exec(head[n] as string);
    if (match === null) continue;
    const [, key = "", value = ""] = match;
    const below: string[] = [];
    while (/^(?:[ \t]+\S|[ \t]*-[ \t])/.test(head[n + 1] ?? "")) below.push((head[++n] as string).trim());
    if (/^[>|][+-]?$/.test(value)) fields.set(key, below.join(" "));
    else if (value === "")
      fields.set(
        key,
        below.map((item) => unquoted(item.replace(/^-[ \t]+/, ""))),
      );
    else fields.set(key, unquoted(value));
  }
  return fields;
}

function textOf(value: Value | undefined): string {
  return (typeof value === "string" ? value : "").trim();
}

/** Undefined for all tools. What is not a plain name grants nothing. */
function toolsOf(value: Value | undefined, messages: string[]): readonly string[] | undefined {
  if (value === undefined || value === "*") return undefined;
  const names = typeof value === "string" ? value.replace(/^\[(.*)\]$/, "$1").split(",") : value;
  const tools: string[] = [];
  for (const name of names.slice(0, MOST_TOOLS).map((one) => unquoted(one.trim()))) {
    if (name === "") continue;
    if (!/^[\w*-]+$/.test(name))
      messages.push(`Tool not used: ${firstWords(name, 60)}. Only names of tools are read here`);
    else tools.push(TOOLS_OF_CLAUDE[name] ?? name.replace(/^mcp__/, ""));
  }
  return tools;
}

function unquoted(value: string): string {
  return /^(["'])(.*)\1$/.exec(value)?.[2] ?? value;
}
