/** Suggests rules that would allow a request from now on, as narrow as possible while still easy to describe. */
import { relative } from "node:path";
import { visibleText } from "@bough/session/text/index.js";
import { knownProgram } from "../program/covers.js";
import type { ShellCommand } from "../shell/shell-line.js";
import { applyRules, type RuleRequest } from "./apply-rules.js";
import { escapedHost } from "./host-pattern.js";
import { escapedName } from "./mcp-pattern.js";
import { escapedPath, type PatternPlace } from "./path-pattern.js";
import { quotedWord } from "./read-command-pattern.js";
import { parseRule, type Rule, UNSANDBOXED } from "./rule.js";

export interface RuleSuggestion {
  readonly texts: readonly string[];
  /** Such as `commands that begin with "npm test"`. */
  readonly words: string;
}

/** Arguments after these only change what is tested or shown, so the suggested rule allows any. */
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
const SOURCE = { kind: "user" } as const;

/** Undefined if no rule can express it, for example because a word is only known when the command runs. */
export function suggestRules(
  rules: readonly Rule[],
  asked: RuleRequest,
  place: PatternPlace,
): RuleSuggestion | undefined {
  const made = suggestion(rules, asked, place);
  if (made === undefined || made.texts.length === 0 || made.texts.length > MOST_RULES) return undefined;
  // Only offer rules that work: parse them as they would be read from the file.
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
    // In a rule, a star in the name of the server would match other servers too.
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
    const part = commandSuggestions(command, request.tool).find(({ text }) => isAllowed([text]));
    if (part === undefined) return undefined;
    if (!parts.some(({ text }) => text === part.text)) parts.push(part);
  }
  return { texts: parts.map(({ text }) => text), words: parts.map(({ words }) => words).join(", ") };
}

interface Part {
  readonly text: string;
  readonly words: string;
}

/** Escapes characters that have a meaning in rules or are not allowed there unescaped. */
function escapedTool(tool: string): string {
  return /^[\w.-]+$/.test(tool) ? tool : escapedName(tool).replace(/[^\w.*\\-]/gu, "\\$&");
}

/** One rule covers pages and the connections of sandboxed commands. */
function hostWords(host: string): string {
  return `reach ${visibleText(host, { newlines: "escape" }).text}`;
}

/** Rules for a command: for its prefix, if any arguments may follow it, and for the exact command. */
function commandSuggestions({ words }: ShellCommand, tool: string): readonly Part[] {
  const name = tool === UNSANDBOXED ? UNSANDBOXED : "bash";
  const length = prefixLength(words.map(({ text, literal }) => (literal ? text : "")));
  const made: Part[] = [];
  for (const [named, isPrefix] of [[words.slice(0, length), true] as const, [words, false] as const]) {
    const quoted = named.map(({ text, literal }) => (literal ? quotedWord(text) : undefined));
    if (quoted.length === 0 || quoted.some((text) => text === undefined)) continue;
    const text = quoted.join(" ");
    const shown = visibleText(text, { newlines: "escape" }).text;
    made.push(
      isPrefix
        ? { text: `${name}(${text}:*)`, words: `commands that begin with "${shown}"` }
        : { text: `${name}(${text})`, words: `the command "${shown}"` },
    );
  }
  return made;
}

/** Number of words of a command that form the prefix; 0 if only the whole command can be allowed. */
function prefixLength(words: readonly string[]): number {
  const prefix = PREFIXES.find((names) =>
    names.every((name, at) => (name === "*" ? /^[\w:.-]+$/.test(words[at] ?? "") : words[at] === name)),
  );
  if (prefix !== undefined) return prefix.length;
  const known = knownProgram(words.map((text) => ({ text, literal: text !== "" })));
  return known?.reader?.operands === "names" && words[0] !== "cd" && known.runner === undefined ? known.length : 0;
}

/** The top-level folder in the working directory that contains the file, or the file itself. */
function folderSuggestion(real: string | undefined, { cwd }: PatternPlace): RuleSuggestion | undefined {
  const path = real === undefined ? "" : relative(cwd, real);
  if (path === "" || path.startsWith("..") || path.startsWith("/")) return undefined;
  const [top, ...below] = path.split("/");
  const name = visibleText(top ?? "", { newlines: "escape" }).text;
  return below.length === 0
    ? { texts: [`edit(${escapedPath(top ?? "")})`], words: `change ${name}` }
    : { texts: [`edit(${escapedPath(top ?? "")}/**)`], words: `change any file in ${name}` };
}
