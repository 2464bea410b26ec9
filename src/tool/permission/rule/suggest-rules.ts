/** The rules that would allow a request from now on, as narrow as they can be said in a few words. */
import { relative } from "node:path";
import { visibleText } from "../../../text/index.js";
import type { ShellCommand } from "../shell/shell-line.js";
import { applyRules, type RuleRequest } from "./apply-rules.js";
import type { PatternPlace } from "./path-pattern.js";
import { parseRule, type Rule } from "./rule.js";

export interface RuleSuggestion {
  readonly texts: readonly string[];
  /** "commands that begin with `npm test`" */
  readonly words: string;
}

/** Words after these change what is tested or shown, not what is done: the rule allows any. */
const PREFIXES: readonly (readonly string[])[] = [
  ...["npm", "pnpm", "yarn", "bun"].flatMap((name) => [
    [name, "test"],
    [name, "run", "*"],
  ]),
  ...["test", "build", "check", "clippy"].map((name) => ["cargo", name]),
  ...["test", "build", "vet"].map((name) => ["go", name]),
  ...["status", "diff", "log", "show"].map((name) => ["git", name]),
  ["pytest"],
];
const MOST_RULES = 3;
const SOURCE = { kind: "local" } as const;

/** Undefined if no rule can be said, as for words that are only known when the command runs. */
export function suggestRules(
  rules: readonly Rule[],
  asked: RuleRequest,
  place: PatternPlace,
): RuleSuggestion | undefined {
  const made = suggestion(rules, asked, place);
  if (made === undefined || made.texts.length === 0 || made.texts.length > MOST_RULES) return undefined;
  // What is offered has to work: the rules are read back as they would be from the file.
  const added = made.texts.map((text) => parseRule(text, { effect: "allow", source: SOURCE }));
  return applyRules([...rules, ...added], asked, place).effect === "allow" ? made : undefined;
}

function suggestion(
  rules: readonly Rule[],
  { request, files, line, host }: RuleRequest,
  place: PatternPlace,
): RuleSuggestion | undefined {
  if (request.action === "fetch") {
    return host === undefined ? undefined : { texts: [`web_fetch(${host})`], words: hostWords(host) };
  }
  if (request.action === "use" && request.server !== undefined) {
    const { name, tool } = request.server;
    return { texts: [`mcp(${name}/${tool})`], words: `all calls of ${tool} on the MCP server ${name}` };
  }
  if (request.action === "use") {
    const words = `all calls of ${visibleText(request.tool, { newlines: "escape" }).text}`;
    return { texts: [request.tool.replace(/^([\w.-]+?)__([\w.-]+)$/, "mcp($1/$2)")], words };
  }
  if (request.action === "write") return folderSuggestion(files[0]?.real, place);
  if (line === undefined || line.unknown.length > 0) return undefined;
  const parts: { readonly text: string; readonly words: string }[] = [];
  const isFree = line.commands.length === 0 && files.length === 0;
  for (const command of isFree ? line.wrappers : line.commands) {
    const facts: RuleRequest = { request, files: [], line: { ...line, commands: [command], wrappers: [] } };
    if (applyRules(rules, facts, place).effect === "allow") continue;
    const part = commandSuggestion(command);
    if (part === undefined) return undefined;
    if (!parts.some(({ text }) => text === part.text)) parts.push(part);
  }
  return { texts: parts.map(({ text }) => text), words: parts.map(({ words }) => words).join(", ") };
}

/** One rule for pages and for connections of commands in the sandbox. */
function hostWords(host: string): string {
  return `reach ${visibleText(host, { newlines: "escape" }).text}`;
}

function commandSuggestion(command: ShellCommand): { readonly text: string; readonly words: string } | undefined {
  const prefix = PREFIXES.find((words) =>
    words.every((word, at) => command[at]?.literal === true && (word === "*" || command[at].text === word)),
  );
  const named = prefix === undefined ? command : command.slice(0, prefix.length);
  if (named.some(({ literal }) => !literal)) return undefined;
  const quoted = named.map(({ text }) => quotedWord(text));
  if (quoted.some((text) => text === undefined)) return undefined;
  const text = quoted.join(" ");
  const shown = visibleText(text, { newlines: "escape" }).text;
  if (prefix !== undefined) return { text: `bash(${text}:*)`, words: `commands that begin with "${shown}"` };
  return text.endsWith(":*") ? undefined : { text: `bash(${text})`, words: `the command "${shown}"` };
}

function quotedWord(text: string): string | undefined {
  if (/^[\w./:@%+,=^-]+$/.test(text)) return text;
  return /['\p{Cc}]/u.test(text) ? undefined : `'${text}'`;
}

/** The folder below the working directory that the file is in, or the file itself if it is in none. */
function folderSuggestion(real: string | undefined, { cwd }: PatternPlace): RuleSuggestion | undefined {
  const path = real === undefined ? "" : relative(cwd, real);
  if (path === "" || path.startsWith("..") || path.startsWith("/")) return undefined;
  const [top, ...below] = path.split("/");
  const name = visibleText(top ?? "", { newlines: "escape" }).text;
  return below.length === 0
    ? { texts: [`edit(${top})`], words: `change ${name}` }
    : { texts: [`edit(${top}/**)`], words: `change any file in ${name}` };
}
