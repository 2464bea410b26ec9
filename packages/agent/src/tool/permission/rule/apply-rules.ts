/** Matches rules against a request. Pure: paths were resolved before. */
import { resolve } from "node:path";
import type { PermissionRequest } from "../../tool.js";
import { knownProgram } from "../program/covers.js";
import { filesRead } from "../program/readers.js";
import type { ShellCommand, ShellLine, ShellWord } from "../shell/shell-line.js";
import { matchesHost } from "./host-pattern.js";
import { couldBeCommand, isCommand } from "./match-command.js";
import { matchesMcp, matchesStar, splitsOf } from "./mcp-pattern.js";
import {
  absolutePattern,
  isStaticPattern,
  mayExpandTo,
  mayMatchBelow,
  type PatternPlace,
  plainPath,
} from "./path-pattern.js";
import { type Rule, UNSANDBOXED } from "./rule.js";
import { type CommandRule, type RuleGroup, ruleIndex } from "./rule-index.js";

export interface RequestFile {
  readonly action: "read" | "write";
  /** The path as written, made absolute; undefined if it is only known when the command runs. */
  readonly path: string | undefined;
  /** The real path. */
  readonly real: string | undefined;
  /** `free` needs no rule, `by rule` can be allowed by one, `never` always needs confirmation. */
  readonly open: "free" | "by rule" | "never";
  /** The shell pattern that expanded to it, and the folder it was expanded in. */
  readonly expands?: { readonly text: string; readonly folder: string };
}

/** A file that a known program reads or changes. */
export interface TouchedFile extends RequestFile {
  /** Whether files below it are affected too. */
  readonly isWalk?: boolean;
  /** Whether hidden files below it are skipped. */
  readonly leavesHidden?: boolean;
}

export interface OtherCommand {
  readonly words: readonly ShellWord[];
  /** It only reads, and its files are known; its arguments may name more. */
  readonly isReader: boolean;
  /** Whole arguments may be file names, not only parts of them. */
  readonly isNamed: boolean;
}

export interface RuleRequest {
  /** The tool is `unsandboxed` for a command that is to run outside the sandbox. */
  readonly request: Pick<PermissionRequest, "tool" | "action" | "target" | "server">;
  /** The file of the request, or those a command line redirects to. */
  readonly files: readonly RequestFile[];
  /** The parsed command line, for commands. */
  readonly line?: ShellLine;
  /** Files that known commands read or change. */
  readonly touched?: readonly TouchedFile[];
  /** Commands whose files are not fully known. */
  readonly others?: readonly OtherCommand[];
  /** Folders that the commands may run in. */
  readonly folders?: readonly string[];
  /** For URLs; undefined if the URL has no host. */
  readonly host?: string;
}

interface RuleMatch {
  readonly rule: Rule;
  /** Why it is not certain that the rule applies. */
  readonly reason?: string;
}

export type RuleAnswer =
  /** `doubt`: a deny or ask rule about files that an unknown command may touch. */
  | { readonly effect: "none"; readonly doubt?: RuleMatch }
  /** `rules`: the rules that allowed it, one for each part. */
  | { readonly effect: "allow"; readonly rules: readonly Rule[] }
  | ({ readonly effect: "ask" | "deny" } & RuleMatch);

/** `deny` wins over `ask`, and `ask` over `allow`. A deny rule that only may apply asks. */
export function applyRules(rules: readonly Rule[], asked: RuleRequest, place: PatternPlace): RuleAnswer {
  if (rules.length === 0) return { effect: "none" };
  const index = ruleIndex(rules, place);
  let asks: RuleMatch | undefined;
  for (const group of [index.deny, index.ask]) {
    const match = bestMatch(group, { ...asked, leaves: leavesBy(asked, group === index.deny) }, place);
    if (match === undefined) continue;
    if (match.reason === undefined && group === index.deny) return { effect: "deny", ...match };
    asks ??= match;
  }
  if (asks !== undefined) return { effect: "ask", ...asks };
  const used = allowedBy(index.allow, asked, place);
  if (used !== undefined) return { effect: "allow", rules: used };
  const doubted = asked.others?.some(({ isReader }) => !isReader) === true;
  const [rule] = doubted ? [...index.deny.paths(), ...index.ask.paths()].filter(isForCommands) : [];
  if (rule === undefined) return { effect: "none" };
  return { effect: "none", doubt: { rule, reason: "It is unknown what this command reads and writes" } };
}

/**
 * The rules that count for a command that is to leave the sandbox: those about that, and those that deny running it at
 * all. Whether it asks was settled before it ran.
 */
function leavesBy({ request }: RuleRequest, isDenied: boolean): Leaves {
  if (request.tool !== UNSANDBOXED) return "stays";
  return isDenied ? "either" : "leaves";
}

type Leaves = "stays" | "leaves" | "either";

interface MatchRequest extends RuleRequest {
  readonly leaves: Leaves;
}

function isForCommands({ target }: Rule): boolean {
  return target.kind === "path" && target.tool === undefined;
}

/** A rule of the group that certainly applies, otherwise one that may. */
function bestMatch(group: RuleGroup, asked: MatchRequest, place: PatternPlace): RuleMatch | undefined {
  if (group.size === 0) return undefined;
  let maybe: RuleMatch | undefined;
  for (const match of matchesIn(group, asked, place)) {
    if (match.reason === undefined) return match;
    maybe ??= match;
  }
  return maybe;
}

function* matchesIn(group: RuleGroup, asked: MatchRequest, place: PatternPlace): Iterable<RuleMatch> {
  const { request, files, line, host, leaves } = asked;
  for (const rule of group.tools) {
    if (isTool(rule.target.tool, request) && (leaves !== "leaves" || rule.target.tool !== "bash")) yield { rule };
  }
  for (const rule of group.broken) {
    const { tool } = rule.target;
    if (tool === undefined || isBrokenFor(tool, request, files)) yield { rule };
  }
  if (group.mcp.length > 0) {
    const names = splitsOf(request.tool);
    for (const rule of group.mcp) if (names.some((name) => matchesMcp(rule.target, name))) yield { rule };
  }
  if (request.action === "fetch") {
    // A URL without a host could be anything.
    for (const rule of group.hosts) if (host === undefined || matchesHost(rule.target.pattern, host)) yield { rule };
  }
  if (line !== undefined && group.hasCommands) yield* commandMatches(group, line, leaves);
  if (group.hasPaths) yield* pathMatches(group, asked, place);
}

function* commandMatches(group: RuleGroup, line: ShellLine, leaves: Leaves): Iterable<RuleMatch> {
  const counts = ({ target }: CommandRule): boolean =>
    leaves === "either" || (target.outside === true) === (leaves === "leaves");
  const certain = [...line.commands, ...line.free].map(({ words }) => ({ words, runs: true }));
  for (const { words, runs } of [...certain, ...line.glanced]) {
    for (const rule of group.commandsNamed(words[0]?.text ?? "")) {
      if (!counts(rule)) continue;
      const could = couldBeCommand(rule.target, words);
      if (could === "yes" && runs) yield { rule };
      else if (could !== "no" && (runs || could === "yes")) {
        yield { rule, reason: "The command may be one that this rule matches" };
      }
    }
  }
  const [unclear] = [...line.unknown, ...line.opaque];
  if (unclear === undefined) return;
  for (const rule of group.commands()) {
    if (!counts(rule)) continue;
    yield { rule, reason: notUnderstood(unclear) };
    return;
  }
}

function* pathMatches(group: RuleGroup, asked: RuleRequest, place: PatternPlace): Iterable<RuleMatch> {
  const { request, files, line, touched = [], others = [] } = asked;
  const isAbout = ({ target }: Rule, action: string): boolean =>
    target.kind === "path" && target.action === action && (target.tool === undefined || target.tool === request.tool);
  for (const file of [...files, ...touched]) {
    if (file.path === undefined || file.real === undefined) {
      for (const rule of group.paths()) {
        if (isAbout(rule, file.action)) {
          yield { rule, reason: "The command uses a file whose name is only known when it runs" };
        }
      }
      continue;
    }
    for (const path of new Set([file.real, file.path])) {
      for (const rule of group.touching(path)) if (isAbout(rule, file.action)) yield { rule };
    }
    if (file.expands !== undefined) {
      const { text, folder } = file.expands;
      for (const rule of group.paths()) {
        const { pattern } = rule.target;
        if (pattern === undefined || !isStaticPattern(pattern) || !isAbout(rule, file.action)) continue;
        if (mayExpandTo(text, plainPath(absolutePattern(pattern, place)), folder)) yield { rule, reason: NAMES_FILE };
      }
    }
    if (request.tool === "grep" || isWalk(file)) yield* walkMatches(group, { file, isAbout }, place);
  }
  if (line === undefined) return;
  for (const other of others) yield* argumentMatches(group, { ...other, asked }, place);
  const [unclear] = [...line.unknown, ...line.opaque];
  if (unclear === undefined) return;
  for (const rule of group.paths()) if (isForCommands(rule)) yield { rule, reason: notUnderstood(unclear) };
}

const NAMES_FILE = "The command names a file that this rule matches";

interface Walk {
  readonly file: TouchedFile;
  readonly isAbout: (rule: Rule, action: string) => boolean;
}

/** Rules about files that a walk through a folder may reach. */
function* walkMatches(group: RuleGroup, { file, isAbout }: Walk, place: PatternPlace): Iterable<RuleMatch> {
  const { real = "", leavesHidden } = file;
  for (const rule of group.paths()) {
    const { pattern } = rule.target;
    if (!isAbout(rule, file.action) || pattern === undefined || !mayMatchBelow(pattern, real, place)) continue;
    if (leavesHidden === true && /(?:^|\/)\.[^/.]/.test(pattern)) continue;
    const reason = file.action === "read" ? "The search may read" : "The command may change";
    yield { rule, reason: `${reason} files that this rule matches` };
  }
}

interface NamedArguments extends OtherCommand {
  readonly asked: RuleRequest;
}

/** Rules about paths among the arguments of a command, whatever the command does with them. */
function* argumentMatches(
  group: RuleGroup,
  { words, isNamed, asked }: NamedArguments,
  place: PatternPlace,
): Iterable<RuleMatch> {
  const { folders = [place.cwd] } = asked;
  const reason = NAMES_FILE;
  for (const { text, literal } of words.slice(1)) {
    // Parts such as those of `--file=name`, `HEAD:name`, `@name` and `-fname`.
    const parts = new Set([
      text,
      ...[...text.matchAll(/[=:@,]/g)].slice(0, 20).map(({ index }) => text.slice(index + 1)),
      text.replace(/^-\w/, ""),
    ]);
    for (const part of parts) {
      if (part === "" || (!isNamed && part === text)) continue;
      for (const folder of folders) {
        const path = resolve(folder, part.replace(/^~(?=\/|$)/, place.userHome));
        for (const rule of group.touching(path)) {
          const { pattern } = rule.target;
          // A wildcard pattern may match a word that is not a path.
          if (isForCommands(rule) && pattern !== undefined && (isStaticPattern(pattern) || /[./]/.test(part)))
            yield { rule, reason };
        }
        if (literal) continue;
        for (const rule of group.paths()) {
          const { pattern } = rule.target;
          if (pattern === undefined || !isStaticPattern(pattern) || !isForCommands(rule)) continue;
          if (mayExpandTo(part, plainPath(absolutePattern(pattern, place)), folder)) yield { rule, reason };
        }
      }
    }
  }
}

function isWalk(file: RequestFile | TouchedFile): boolean {
  return "isWalk" in file && file.isWalk === true;
}

export function notUnderstood(clause: string): string {
  return `This command was not fully understood, because ${clause}`;
}

/** The rules that together allow the request; undefined if no rule allows some part of it. */
function allowedBy(group: RuleGroup, asked: RuleRequest, place: PatternPlace): readonly Rule[] | undefined {
  const { request, files, line, host } = asked;
  // Connections of commands follow host rules: `bash` alone allows none, `web_fetch` alone allows all.
  const name = request.action === "fetch" && request.tool === "bash" ? "web_fetch" : request.tool;
  // What may run outside the sandbox may run inside it, too.
  const whole =
    wholeTool(group, name, request.server) ?? (name === "bash" ? wholeTool(group, UNSANDBOXED, undefined) : undefined);
  if (whole !== undefined) return files.some(({ open }) => open === "never") ? undefined : [whole];
  if (request.action === "fetch") {
    if (name !== "web_fetch" || host === undefined) return undefined;
    const rule = group.hosts.find(({ target }) => matchesHost(target.pattern, host));
    return rule === undefined ? undefined : [rule];
  }
  // Commands of other tools need not be shell commands.
  if (request.action === "run" && request.tool !== "bash" && request.tool !== UNSANDBOXED) return undefined;
  if (request.action === "use" || (line?.unknown.length ?? 0) > 0) return undefined;
  const used: Rule[] = [];
  const commandPlace = { cwd: place.cwd, folders: asked.folders ?? [place.cwd] };
  const ruleFor = (command: ShellCommand): Rule | undefined => {
    for (const rule of group.commandsBeginning(textsOf(command))) {
      const counts = request.tool !== UNSANDBOXED || rule.target.outside === true;
      if (counts && isCommand(rule.target, command, commandPlace)) return rule;
    }
    return undefined;
  };
  for (const command of line?.commands ?? []) {
    if (isFreeMove(command, asked, place)) continue;
    const rule = ruleFor(command);
    if (rule === undefined) return undefined;
    used.push(rule);
  }
  for (const file of files) {
    if (file.open === "free") continue;
    const { real } = file;
    if (file.open === "never" || real === undefined) return undefined;
    const rule = [...group.matching(real)].find(
      ({ target }) => target.action === file.action && (target.tool === undefined || target.tool === request.tool),
    );
    if (rule === undefined) return undefined;
    used.push(rule);
  }
  if (used.length > 0) return used;
  // Nothing in it needs a rule, but it is only allowed if rules cover its free commands.
  const named = (line?.free ?? []).map(ruleFor);
  return named.length > 0 && named.every((rule) => rule !== undefined) ? named : undefined;
}

function wholeTool(group: RuleGroup, name: string, server: RuleRequest["request"]["server"]): Rule | undefined {
  const tool = group.tools.find(({ target }) => isNamed(target.tool, name));
  if (tool !== undefined || group.mcp.length === 0) return tool;
  // Split at the first `__`: a rule that allows one server must not allow another whose name starts with the same text.
  const [first] = splitsOf(name);
  return group.mcp.find(({ target }) => {
    if (!matchesMcp(target, first)) return false;
    return target.named === undefined || (server !== undefined && matchesStar(target.named, server.tool));
  });
}

function textsOf({ words }: ShellCommand): readonly string[] {
  const end = words.findIndex(({ literal }) => !literal);
  return words.slice(0, end < 0 ? words.length : end).map(({ text }) => text);
}

/** A `cd` that needs no rule: to the current folder, as models often start, or followed only by commands that read. */
function isFreeMove(
  { words: [name] }: ShellCommand,
  { line, folders = [] }: RuleRequest,
  { cwd }: PatternPlace,
): boolean {
  if (name?.text !== "cd" || line === undefined) return false;
  if (folders.every((folder) => folder === cwd)) return true;
  // If the folder is outside, reading it needs a rule of its own.
  return (
    line.commands.length > 1 &&
    line.commands.every(({ words }) => {
      if (words[0]?.text === "cd") return true;
      const known = knownProgram(words);
      return known?.reader !== undefined && filesRead(known.reader, words.slice(known.length)) !== undefined;
    })
  );
}

function isTool(name: string, { tool, action }: RuleRequest["request"]): boolean {
  return isNamed(name, tool) || (name === "bash" && action === "run");
}

/** `server__*` matches all tools of a server. */
function isNamed(name: string, tool: string): boolean {
  return name === tool || (name.endsWith("__*") && tool.startsWith(name.slice(0, -1)));
}

/** An unparsable rule for a known tool matches everything that tool could do. */
function isBrokenFor(name: string, request: RuleRequest["request"], files: readonly RequestFile[]): boolean {
  if (isTool(name, request)) return true;
  const writes = name === "edit" || name === "write";
  return (writes || name === "read") && files.some(({ action }) => action === (writes ? "write" : "read"));
}
