/** The rules that would allow a request from now on, as narrow as they can be said in a few words. */
import { relative } from "node:path";
import { visibleText } from "@bough/session/text/index.js";
import { knownProgram } from "../program/covers.js";
import type { ShellCommand } from "../shell/shell-line.js";
import { applyRules, type RuleRequest } from "./apply-rules.js";
import { escapedHost } from "./host-pattern.js";
import { escapedName } from "./mcp-pattern.js";
import { escapedPath, type PatternPlace } from "./path-pattern.js";
import { quotedWord } from "./read-command-pattern.js";
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

function suggestion(rules: readonly Rule[], asked: RuleRequest, place: PatternPlace): RuleSuggestion | undefined {
  const { request, files, line, host } = asked;
  if (request.action === "fetch") {
    return host === undefined ? undefined : { texts: [`web_fetch(${escapedHost(host)})`], words: hostWords(host) };
  }
  if (request.action === "use" && request.server !== undefined) {
    const { name, tool } = request.server;
    // In a rule, a star in the name of a server stands for others too.
    if (!/^[\w.-]+$/.test(name)) return undefined;
    const shown = visibleText(tool, { newlines: "escape" }).text;
    return { texts: [`mcp(${name}/${escapedTool(tool)})`], words: `all calls of ${shown} on the MCP server ${name}` };
  }
  if (request.action === "use") {
    if (!/^[\w.-]+$/.test(request.tool)) return undefined;
    const words = `all calls of ${visibleText(request.tool, { newlines: "escape" }).text}`;
    return { texts: [request.tool.replace(/^([\w.-]+?)__([\w.-]+)$/, "mcp($1/$2)")], words };
  }
  if (request.action === "write") return folderSuggestion(files[0]?.real, place);
  if (line === undefined || line.unknown.length > 0) return undefined;
  const parts: Part[] = [];
  const isFree = line.commands.length === 0 && files.length === 0;
  for (const command of isFree ? line.free : line.commands) {
    const facts: RuleRequest = { ...asked, files: [], line: { ...line, commands: [command], free: [] } };
    const isAllowed = (texts: readonly string[]): boolean =>
      applyRules([...rules, ...texts.map((text) => parseRule(text, { effect: "allow", source: SOURCE }))], facts, place)
        .effect === "allow";
    if (isAllowed([])) continue;
    const part = commandSuggestions(command).find(({ text }) => isAllowed([text]));
    if (part === undefined) return undefined;
    if (!parts.some(({ text }) => text === part.text)) parts.push(part);
  }
  return { texts: parts.map(({ text }) => text), words: parts.map(({ words }) => words).join(", ") };
}

interface Part {
  readonly text: string;
  readonly words: string;
}

/** Signs that a rule gives a meaning, and those that no rule takes as they are. */
function escapedTool(tool: string): string {
  return /^[\w.-]+$/.test(tool) ? tool : escapedName(tool).replace(/[^\w.*\\-]/gu, "\\$&");
}

/** One rule for pages and for connections of commands in the sandbox. */
function hostWords(host: string): string {
  return `reach ${visibleText(host, { newlines: "escape" }).text}`;
}

/** What could be kept for a command: its beginning, if the tables know what may follow, or all of it. */
function commandSuggestions({ words }: ShellCommand): readonly Part[] {
  const length = prefixLength(words.map(({ text, literal }) => (literal ? text : "")));
  const made: Part[] = [];
  for (const [named, isPrefix] of [[words.slice(0, length), true] as const, [words, false] as const]) {
    const quoted = named.map(({ text, literal }) => (literal ? quotedWord(text) : undefined));
    if (quoted.length === 0 || quoted.some((text) => text === undefined)) continue;
    const text = quoted.join(" ");
    const shown = visibleText(text, { newlines: "escape" }).text;
    made.push(
      isPrefix
        ? { text: `bash(${text}:*)`, words: `commands that begin with "${shown}"` }
        : { text: `bash(${text})`, words: `the command "${shown}"` },
    );
  }
  return made;
}

/** How many words of a command a rule names; 0 if it names them all. */
function prefixLength(words: readonly string[]): number {
  const prefix = PREFIXES.find((names) =>
    names.every((name, at) => (name === "*" ? /^[\w:.-]+$/.test(words[at] ?? "") : words[at] === name)),
  );
  if (prefix !== undefined) return prefix.length;
  const known = knownProgram(words.map((text) => ({ text, literal: text !== "" })));
  return known?.reader?.operands === "names" && words[0] !== "cd" && known.runner === undefined ? known.length : 0;
}

/** The folder below the working directory that the file is in, or the file itself if it is in none. */
function folderSuggestion(real: string | undefined, { cwd }: PatternPlace): RuleSuggestion | undefined {
  const path = real === undefined ? "" : relative(cwd, real);
  if (path === "" || path.startsWith("..") || path.startsWith("/")) return undefined;
  const [top, ...below] = path.split("/");
  const name = visibleText(top ?? "", { newlines: "escape" }).text;
  return below.length === 0
    ? { texts: [`edit(${escapedPath(top ?? "")})`], words: `change ${name}` }
    : { texts: [`edit(${escapedPath(top ?? "")}/**)`], words: `change any file in ${name}` };
}
