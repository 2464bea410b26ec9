/** A permission request with everything known about it: its real paths, and whether it always needs confirmation. */

import { homedir } from "node:os";
import { relative, resolve } from "node:path";
import { visibleText } from "@bough/session/text/index.js";
import { absolutePath } from "../path/absolute-path.js";
import { workPlace } from "../path/allowed-path.js";
import { isWorkPath, type WorkPlace } from "../path/inside.js";
import { plantedRepository } from "../path/planted-repository.js";
import { realTarget } from "../path/real-target.js";
import { commandShell } from "../process/command-shell.js";
import type { PermissionMode, PermissionRequest } from "../tool.js";
import { type CommandSandbox, decidePermission } from "./mode-table.js";
import { protectedReason } from "./protected-places.js";
import { applyRules, notUnderstood, type RequestFile, type RuleAnswer, type RuleRequest } from "./rule/apply-rules.js";
import { hostOf } from "./rule/host-pattern.js";
import type { PatternPlace } from "./rule/path-pattern.js";
import { type Rule, UNSANDBOXED } from "./rule/rule.js";
import { parseShell } from "./shell/parse-shell.js";
import { baseName, type ShellLine } from "./shell/shell-line.js";
import { filesOfLine } from "./touched-files.js";

export interface AskedRequest {
  readonly request: PermissionRequest;
  readonly place: "inside" | "outside";
  /** The real path; for a command, the first file it names outside the working directory; empty if there is none. */
  readonly path: string;
  /** For a command: all files outside the working directory that it is known to use. */
  readonly outside?: readonly string[];
  /** Why it needs confirmation regardless of the mode and earlier answers. */
  readonly always: string | undefined;
  /** Why `auto` asks about a command: it names a protected place, and what it does there is unknown. */
  readonly named?: string;
  /** The facts that rules are matched against. */
  readonly facts: RuleRequest;
  readonly patterns: PatternPlace;
}

export async function askedRequest(request: PermissionRequest, cwd: string): Promise<AskedRequest> {
  const work = await workPlace(cwd);
  const patterns = { cwd: work.cwd, userHome: homedir() };
  if (request.action === "fetch") {
    const facts = { request, files: [], host: hostOf(request.target) };
    // It is unknown what a command does with a connection, so `auto` alone does not allow one.
    const place = request.tool === "bash" ? "outside" : "inside";
    return { request, place, path: "", always: undefined, facts, patterns };
  }
  if (request.action === "run") return askedCommand(request, { work, patterns });
  if (request.action === "use") {
    return { request, place: "inside", path: "", always: undefined, facts: { request, files: [] }, patterns };
  }
  const named = absolutePath(request.target, work.cwd);
  const path = await realTarget(named);
  const place = isWorkPath(path, work) ? "inside" : "outside";
  const always = request.action === "write" ? writeReason(request, { path, work }) : undefined;
  const open = always === undefined ? "by rule" : "never";
  const facts = { request, files: [{ action: request.action, path: named, real: path, open }] } as const;
  return { request, place, path, always, facts, patterns };
}

function writeReason(
  { movedTo }: PermissionRequest,
  { path, work }: { readonly path: string; readonly work: WorkPlace },
): string | undefined {
  return protectedReason(path, work) ?? (movedTo === undefined ? undefined : "It can decide what runs later.");
}

interface CommandOptions {
  readonly work: WorkPlace;
  readonly patterns: PatternPlace;
}

async function askedCommand(request: PermissionRequest, { work, patterns }: CommandOptions): Promise<AskedRequest> {
  const { cwd } = work;
  const line = parseShell(request.target, { ...commandShell(), ...patterns });
  const folder = line.folder === undefined ? undefined : await folderAt(resolve(cwd, line.folder.text));
  const visited = await visitedFolders(line, cwd);
  const folders = folder === undefined ? visited.folders : line.mayStay && folder !== cwd ? [folder, cwd] : [folder];
  const found = await filesOfLine(line, { work, folders, mayBeElsewhere: visited.mayBeElsewhere });
  const files: RequestFile[] = [...found.files];
  if (folder !== undefined && !isWorkPath(folder, work)) {
    files.push({ action: "read", path: folder, real: folder, open: "by rule" });
  }
  const planted = runsGit(line) ? await plantedFor(folders, work) : undefined;
  if (planted !== undefined) files.push({ action: "read", path: planted, real: planted, open: "never" });
  const isUnknown = found.files.some(({ action, real }) => action === "write" && real === undefined);
  const protectedPath = found.files.find(({ action, open }) => action === "write" && open === "never")?.real;
  const always =
    protectedPath !== undefined
      ? protectedReason(protectedPath, work)
      : request.isDescription === true
        ? "The agent sent only this description of the command."
        : isUnknown
          ? "It writes to a file whose name is only known when it runs."
          : undefined;
  const outside = files.filter(({ real, open }) => open === "by rule" && real !== undefined && !isWorkPath(real, work));
  const note = planted === undefined ? undefined : plantedNote(planted, work);
  return {
    request: { ...request, note: request.note ?? note },
    place: outside.length > 0 ? "outside" : "inside",
    path: outside[0]?.real ?? "",
    always,
    outside: outside.flatMap(({ real }) => real ?? []),
    named: found.named,
    facts: {
      request: request.blocked === undefined ? request : { ...request, tool: UNSANDBOXED },
      ...{ files, line, touched: found.touched, others: found.others, folders },
    },
    patterns,
  };
}

/** Whether rules allow running the command outside the sandbox. */
export function mayLeaveSandbox({ facts, patterns }: AskedRequest, rules: readonly Rule[]): boolean {
  const { request, line } = facts;
  if (request.tool !== "bash" || line === undefined) return false;
  return applyRules(rules, { ...facts, request: { ...request, tool: UNSANDBOXED } }, patterns).effect === "allow";
}

/** The real path of a folder. If it cannot be resolved, a shell cannot enter it either. */
function folderAt(path: string): Promise<string> {
  return realTarget(path).catch(() => path);
}

const MOST_FOLDERS = 8;
const MOST_MOVES = 20;

interface VisitedFolders {
  readonly folders: readonly string[];
  /** There may be other folders. */
  readonly mayBeElsewhere: boolean;
}

/** The folders that the commands of a line may run in, if the line was not fully understood. */
async function visitedFolders({ unknown, glanced }: ShellLine, cwd: string): Promise<VisitedFolders> {
  const folders = new Set([cwd]);
  let mayBeElsewhere = false;
  const moves = (unknown.length === 0 ? [] : glanced).filter(
    ({ words: [name], isEnd }) => isEnd !== true && (name?.text === "cd" || name?.text === "pushd"),
  );
  for (const { words } of moves.slice(0, MOST_MOVES)) {
    const target = words.slice(1).find(({ text }) => !/^-\w*$/.test(text));
    mayBeElsewhere ||= target?.literal === false;
    if (target?.literal !== true) continue;
    for (const folder of [...folders]) folders.add(await folderAt(resolve(folder, target.text)));
    if (folders.size > MOST_FOLDERS) break;
  }
  mayBeElsewhere ||= folders.size > MOST_FOLDERS || moves.length > MOST_MOVES;
  return { folders: [...folders], mayBeElsewhere };
}

function runsGit({ commands, glanced }: ShellLine): boolean {
  return [...commands, ...glanced].some(({ words: [name] }) => baseName(name?.text ?? "") === "git");
}

/** Checks every folder that git may be started in. */
async function plantedFor(folders: readonly string[], { cwd }: WorkPlace): Promise<string | undefined> {
  for (const folder of folders) {
    const planted = await plantedRepository(folder, cwd);
    if (planted !== undefined) return planted;
  }
  return undefined;
}

function plantedNote(folder: string, { cwd }: WorkPlace): string {
  const shown = visibleText(relative(cwd, folder), { newlines: "escape" }).text;
  return shown === ""
    ? "This folder is a bare git repository: its settings can make git run commands."
    : `${shown} is a separate git repository: its settings can make git run commands.`;
}

export type Verdict =
  | { readonly kind: "allow" }
  | { readonly kind: "deny"; readonly rule?: Rule }
  /** `always`: why no stored answer applies and none can be stored. `doubt`: why the mode does not allow it. */
  | { readonly kind: "ask"; readonly always: string | undefined; readonly doubt?: string };

/**
 * Decides by rules and mode, in this order: deny rules, a mode that denies, ask rules, requests that always need
 * confirmation. Only what is left can be allowed, by rules or by the mode.
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
  // Checked before ask rules: `plan` and `read-only` refuse commands whatever the rules say.
  const byMode = decidePermission({ mode, action: request.action, place, sandbox });
  if (byMode === "deny") return { kind: "deny" };
  if (answer.effect === "ask") return { kind: "ask", always: ruleReason(answer) };
  if (always !== undefined) return { kind: "ask", always };
  if (answer.effect === "allow") return { kind: "allow" };
  const doubt = answer.effect === "none" ? answer.doubt : undefined;
  const doubted = (match: RuleMatch) => ruleReason({ ...match, effect: "ask" });
  if (request.blocked !== undefined) return { kind: "ask", always: undefined, doubt: doubt && doubted(doubt) };
  if (byMode !== "allow") return { kind: "ask", always: undefined };
  // The sandbox protects these files, and those with a deny rule, from whatever runs in it.
  if (sandbox === "on") return { kind: "allow" };
  if (doubt !== undefined) return { kind: "ask", always: undefined, doubt: doubted(doubt) };
  if (asked.named !== undefined) return { kind: "ask", always: undefined, doubt: asked.named };
  const { unknown = [], opaque = [] } = asked.facts.line ?? {};
  const [unclear] = sandbox === "missing" ? [...unknown, ...opaque] : [];
  if (unclear !== undefined) return { kind: "ask", always: undefined, doubt: `${notUnderstood(unclear)}.` };
  return { kind: "allow" };
}

type RuleMatch = NonNullable<Extract<RuleAnswer, { effect: "none" }>["doubt"]>;

function ruleReason({ rule, reason }: Extract<RuleAnswer, { effect: "ask" | "deny" }>): string {
  const named = `The rule ${rule.effect} ${rule.text}`;
  return reason === undefined ? `${named} matches.` : `${named} may apply. ${reason}.`;
}
