/** A request with what is known about it: where it leads, and whether it is one that is always asked about. */

import { homedir } from "node:os";
import { relative, sep } from "node:path";
import { defined, visibleText } from "../../text/index.js";
import { absolutePath } from "../path/absolute-path.js";
import { workPlace } from "../path/allowed-path.js";
import { isInside, isWorkPath, type WorkPlace } from "../path/inside.js";
import { plantedRepository } from "../path/planted-repository.js";
import { realTarget } from "../path/real-target.js";
import type { PermissionMode, PermissionRequest } from "../tool.js";
import { type CommandSandbox, decidePermission } from "./decide-permission.js";
import { applyRules, lineOf, type RequestFile, type RuleAnswer, type RuleRequest } from "./rule/apply-rules.js";
import { hostOf } from "./rule/host-pattern.js";
import type { PatternPlace } from "./rule/path-pattern.js";
import type { Rule } from "./rule/rule.js";
import type { ShellLine, ShellWord } from "./shell/shell-line.js";
import { baseName } from "./shell/unwrap-command.js";

export interface AskedRequest {
  readonly request: PermissionRequest;
  readonly place: "inside" | "outside";
  /** The real path; empty for commands, addresses and tools of which only the input is known. */
  readonly path: string;
  /** Why it is asked about whatever the mode and earlier answers say. */
  readonly always: string | undefined;
  /** The same for rules. */
  readonly facts: RuleRequest;
  readonly patterns: PatternPlace;
}

export async function askedRequest(request: PermissionRequest, cwd: string): Promise<AskedRequest> {
  const work = await workPlace(cwd);
  const patterns = { cwd: work.cwd, userHome: homedir() };
  if (request.action === "fetch") {
    const facts = { request, files: [], ...defined({ host: hostOf(request.target) }) };
    // What a command does with a connection is not known, so `auto` alone does not open one.
    const place = request.tool === "bash" ? "outside" : "inside";
    return { request, place, path: "", always: undefined, facts, patterns };
  }
  if (request.action === "run" || request.action === "use") {
    const line = lineOf(request);
    const files: RequestFile[] = [];
    for (const word of line?.writes ?? []) files.push(await redirected(word, { action: "write", work }));
    for (const word of line?.reads ?? []) files.push(await redirected(word, { action: "read", work }));
    const planted = runsGit(line) ? await plantedFor(files, work) : undefined;
    if (planted !== undefined) files.push({ action: "read", path: planted, real: planted, open: "never" });
    const facts = { request, files, ...(line === undefined ? {} : { line }) };
    const note = planted === undefined ? undefined : plantedNote(planted, work);
    return {
      request: { ...defined({ note }), ...request },
      place: "inside",
      path: "",
      always: undefined,
      facts,
      patterns,
    };
  }
  const named = absolutePath(request.target, work.cwd);
  const path = await realTarget(named);
  const place = isWorkPath(path, work) ? "inside" : "outside";
  const always = request.action === "write" ? protectedReason(path, work) : undefined;
  const open = always === undefined ? "by rule" : "never";
  const facts = { request, files: [{ action: request.action, path: named, real: path, open }] } as const;
  return { request, place, path, always, facts, patterns };
}

function runsGit(line: ShellLine | undefined): boolean {
  return line?.commands.some(([name]) => baseName(name?.text ?? "") === "git") === true;
}

/** Where git would be started: here, or in a folder that the line goes to. */
async function plantedFor(files: readonly RequestFile[], { cwd }: WorkPlace): Promise<string | undefined> {
  for (const folder of [cwd, ...files.flatMap(({ action, real }) => (action === "read" ? (real ?? []) : []))]) {
    const planted = await plantedRepository(folder, cwd);
    if (planted !== undefined) return planted;
  }
  return undefined;
}

function plantedNote(folder: string, { cwd }: WorkPlace): string {
  const shown = visibleText(relative(cwd, folder), { newlines: "escape" }).text;
  return `${shown === "" ? "This folder" : shown} is a bare git repository: its settings can make git run commands.`;
}

interface RedirectedOptions {
  readonly action: "read" | "write";
  readonly work: WorkPlace;
}

/** A file that a command line reads or writes. No tilde: the shell's is not literal. */
async function redirected(word: ShellWord, { action, work }: RedirectedOptions): Promise<RequestFile> {
  if (!word.literal) return { action, path: undefined, real: undefined, open: "by rule" };
  const path = absolutePath(word.text.startsWith("~") ? `./${word.text}` : word.text, work.cwd);
  const real = await realTarget(path);
  const isProtected = action === "write" && protectedReason(real, work) !== undefined;
  const open = isProtected ? "never" : action === "read" && isWorkPath(real, work) ? "free" : "by rule";
  return { action, path, real, open };
}

export type Verdict =
  | { readonly kind: "allow" }
  | { readonly kind: "deny"; readonly rule?: Rule }
  /** `always`: no earlier answer counts, and none for later is offered. */
  | { readonly kind: "ask"; readonly always: string | undefined };

/**
 * What rules and mode say: a rule that denies, then the mode that denies, then a rule that asks, then what is always
 * asked about. Only what is left can be allowed, by the mode or by rules.
 */
export function verdictOn(
  asked: AskedRequest,
  {
    mode,
    rules,
    sandbox,
  }: { readonly mode: PermissionMode; readonly rules: readonly Rule[]; readonly sandbox?: CommandSandbox },
): Verdict {
  const { request, place, always } = asked;
  const answer = applyRules(rules, asked.facts, asked.patterns);
  if (answer.effect === "deny") return { kind: "deny", rule: answer.rule };
  const said = decidePermission({ mode, action: request.action, place, ...defined({ sandbox }) });
  if (said === "deny") return { kind: "deny" };
  if (answer.effect === "ask") return { kind: "ask", always: ruleReason(answer) };
  if (always !== undefined) return { kind: "ask", always };
  return said === "allow" || answer.effect === "allow" ? { kind: "allow" } : { kind: "ask", always: undefined };
}

function ruleReason({ rule, reason }: Extract<RuleAnswer, { effect: "ask" | "deny" }>): string {
  const named = `The rule ${rule.effect} ${rule.text}`;
  return reason === undefined ? `${named} says to ask.` : `${named} may apply. ${reason}.`;
}

/** Folders by name, wherever they are, and what a change in them can do. */
const FOLDERS: Readonly<Record<string, string>> = {
  ".git": "Files in .git can make git run commands.",
  ".bough": "Files in .bough decide what Bough loads and allows.",
};

/** Why a change to this real path is always asked about; undefined for ordinary files. */
function protectedReason(path: string, { home }: WorkPlace): string | undefined {
  if (isInside(home, path)) return "This folder holds Bough's own settings, extensions and sessions.";
  for (const name of path.split(sep)) {
    // Some file systems take .GIT for .git.
    const reason = FOLDERS[name.toLowerCase()];
    if (reason !== undefined) return reason;
  }
  return undefined;
}
