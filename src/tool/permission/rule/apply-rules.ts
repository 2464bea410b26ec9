/** What the rules say to a request. Pure: where paths lead was found out before. */
import { resolve } from "node:path";
import type { PermissionRequest } from "../../tool.js";
import { parseShell } from "../shell/parse-shell.js";
import type { ShellCommand, ShellLine } from "../shell/shell-line.js";
import { matchesHost } from "./host-pattern.js";
import { couldBeCommand, isCommand } from "./match-command.js";
import { matchesMcp, splitsOf } from "./mcp-pattern.js";
import {
  absolutePattern,
  isStaticPattern,
  matchesPath,
  mayExpandTo,
  mayMatchBelow,
  type PatternPlace,
  touchesPath,
} from "./path-pattern.js";
import type { Rule } from "./rule.js";

export interface RequestFile {
  readonly action: "read" | "write";
  /** As it is written, made absolute; undefined if it is only known when the command runs. */
  readonly path: string | undefined;
  /** Where it leads. */
  readonly real: string | undefined;
  /** A rule may allow it, or it needs none: false for what is always asked about. */
  readonly open: "free" | "by rule" | "never";
}

export interface RuleRequest {
  readonly request: Pick<PermissionRequest, "tool" | "action" | "target" | "server">;
  /** The file of the request, or those a command line redirects to. */
  readonly files: readonly RequestFile[];
  /** For commands. */
  readonly line?: ShellLine;
  /** For addresses on the web; undefined if there is none in it. */
  readonly host?: string;
}

export type RuleAnswer =
  | { readonly effect: "none" }
  /** `rules`: what allowed it, one for each part. */
  | { readonly effect: "allow"; readonly rules: readonly Rule[] }
  /** `reason`: why it is not plain that the rule holds. */
  | { readonly effect: "ask" | "deny"; readonly rule: Rule; readonly reason?: string };

/** The line of a request, where it has one. */
export function lineOf({ action, target }: Pick<PermissionRequest, "action" | "target">): ShellLine | undefined {
  return action === "run" ? parseShell(target) : undefined;
}

/** `deny` wins over `ask`, `ask` over `allow`. A rule that may hold asks. */
export function applyRules(rules: readonly Rule[], asked: RuleRequest, place: PatternPlace): RuleAnswer {
  if (rules.length === 0) return { effect: "none" };
  let asks: RuleAnswer | undefined;
  for (const rule of rules) {
    if (rule.effect === "allow") continue;
    const holds = holdsAgainst(rule, asked, place);
    if (holds === "no") continue;
    if (holds === "yes" && rule.effect === "deny") return { effect: "deny", rule };
    const reason = holds === "yes" ? undefined : holds.reason;
    asks ??= { effect: "ask", rule, ...(reason === undefined ? {} : { reason }) };
  }
  if (asks !== undefined) return asks;
  const allowing = rules.filter(({ effect, target }) => effect === "allow" && target.kind !== "broken");
  const used = allowedBy(allowing, asked, place);
  return used === undefined ? { effect: "none" } : { effect: "allow", rules: used };
}

type Holds = "yes" | "no" | { readonly reason: string };

function holdsAgainst({ target }: Rule, { request, files, line, host }: RuleRequest, place: PatternPlace): Holds {
  switch (target.kind) {
    case "tool":
      return isTool(target.tool, request) ? "yes" : "no";
    case "mcp":
      return splitsOf(request.tool).some((parts) => matchesMcp(target, parts)) ? "yes" : "no";
    case "broken":
      return target.tool === undefined || isBrokenFor(target.tool, request, files) ? "yes" : "no";
    case "command": {
      if (line === undefined) return "no";
      let holds: Holds = "no";
      for (const command of [...line.commands, ...line.wrappers]) {
        const could = couldBeCommand(target, command);
        if (could === "yes") return "yes";
        if (could === "maybe") holds = { reason: "The command may be one that this rule names" };
      }
      const [unclear] = line.unknown;
      return holds === "no" && unclear !== undefined ? { reason: notUnderstood(unclear) } : holds;
    }
    case "host":
      if (request.action !== "fetch") return "no";
      // An address without a host could be any.
      return host === undefined || matchesHost(target.pattern, host) ? "yes" : "no";
    case "path": {
      if (target.tool !== undefined && target.tool !== request.tool) return "no";
      let holds: Holds = "no";
      for (const file of files) {
        const touched = touches(target, { file, request }, place);
        if (touched === "yes") return "yes";
        if (touched !== "no") holds = touched;
      }
      if (holds !== "no" || line === undefined) return holds;
      if (namesPath(target.pattern, line, place)) return { reason: "The command names a file that this rule is about" };
      const [unclear] = line.unknown;
      return unclear === undefined ? "no" : { reason: notUnderstood(unclear) };
    }
  }
}

/** Whether a word of a command is such a path. What the command does with it is not known. */
function namesPath(pattern: string | undefined, { commands }: ShellLine, place: PatternPlace): boolean {
  if (pattern === undefined) return false;
  const isFixed = isStaticPattern(pattern);
  return commands.some(([, ...words]) =>
    words.some(({ text, literal }) => {
      // `--file=name`
      const path = text.slice(text.startsWith("-") ? text.indexOf("=") + 1 : 0);
      if (path === "" || !(isFixed || /[./]/.test(path))) return false;
      if (touchesPath(pattern, resolve(place.cwd, path), place)) return true;
      return isFixed && !literal && mayExpandTo(path, absolutePattern(pattern, place), place);
    }),
  );
}

function notUnderstood(clause: string): string {
  return `This command was not fully understood, because ${clause}`;
}

interface Touched {
  readonly file: RequestFile;
  readonly request: RuleRequest["request"];
}

function touches(
  { action, pattern }: Extract<Rule["target"], { kind: "path" }>,
  { file, request }: Touched,
  place: PatternPlace,
): Holds {
  if (file.action !== action) return "no";
  if (pattern === undefined) return "yes";
  if (file.path === undefined || file.real === undefined) {
    return { reason: "The command uses a file whose name is only known when it runs" };
  }
  if (touchesPath(pattern, file.real, place) || touchesPath(pattern, file.path, place)) return "yes";
  const searches = request.tool === "grep" && mayMatchBelow(pattern, file.real, place);
  return searches ? { reason: "The search may read files that this rule names" } : "no";
}

/** The rules that allow it all; undefined if something is left that none allows. */
function allowedBy(rules: readonly Rule[], { request, files, line, host }: RuleRequest, place: PatternPlace) {
  // Connections of commands go by the rules about hosts: `bash` alone opens none, `web_fetch` alone opens all.
  const name = request.action === "fetch" && request.tool === "bash" ? "web_fetch" : request.tool;
  const whole = rules.find(({ target }) => {
    if (target.kind !== "mcp") return target.kind === "tool" && isNamed(target.tool, name);
    // The name of a server has no `__`: what is allowed for it is not allowed for one whose name begins like it.
    return matchesMcp(target, splitsOf(name)[0]);
  });
  if (whole !== undefined) return files.some(({ open }) => open === "never") ? undefined : [whole];
  if (request.action === "fetch") {
    if (name !== "web_fetch" || host === undefined) return undefined;
    const rule = rules.find(({ target }) => target.kind === "host" && matchesHost(target.pattern, host));
    return rule === undefined ? undefined : [rule];
  }
  // The commands of other tools need not be those of a shell.
  if (request.action === "run" && request.tool !== "bash") return undefined;
  if (request.action === "use" || (line?.unknown.length ?? 0) > 0) return undefined;
  const used: Rule[] = [];
  for (const command of line?.commands ?? []) {
    if (staysHere(command, place)) continue;
    const rule = rules.find(({ target }) => target.kind === "command" && isCommand(target, command));
    if (rule === undefined) return undefined;
    used.push(rule);
  }
  for (const file of files) {
    if (file.open === "free") continue;
    const { real } = file;
    if (file.open === "never" || real === undefined) return undefined;
    const rule = rules.find(
      ({ target }) =>
        target.kind === "path" &&
        target.action === file.action &&
        (target.tool === undefined || target.tool === request.tool) &&
        (target.pattern === undefined || matchesPath(target.pattern, real, place)),
    );
    if (rule === undefined) return undefined;
    used.push(rule);
  }
  if (used.length > 0) return used;
  // Nothing in it needs a rule, but something has to allow it: rules for what it consists of.
  const named = (line?.wrappers ?? []).map((command) =>
    rules.find(({ target }) => target.kind === "command" && isCommand(target, command)),
  );
  return named.length > 0 && named.every((rule) => rule !== undefined) ? named : undefined;
}

/** `cd` to the folder it is in already, as models like to begin. */
function staysHere([name, target, ...rest]: ShellCommand, { cwd }: PatternPlace): boolean {
  if (name?.text !== "cd" || target === undefined || rest.length > 0) return false;
  return target.literal && resolve(cwd, target.text) === cwd;
}

function isTool(name: string, { tool, action }: RuleRequest["request"]): boolean {
  return isNamed(name, tool) || (name === "bash" && action === "run");
}

/** `server__*` stands for all tools of a server. */
function isNamed(name: string, tool: string): boolean {
  return name === tool || (name.endsWith("__*") && tool.startsWith(name.slice(0, -1)));
}

/** A rule nobody can read, whose tool is known: everything that tool could do. */
function isBrokenFor(name: string, request: RuleRequest["request"], files: readonly RequestFile[]): boolean {
  if (isTool(name, request)) return true;
  const writes = name === "edit" || name === "write";
  return (writes || name === "read") && files.some(({ action }) => action === (writes ? "write" : "read"));
}
