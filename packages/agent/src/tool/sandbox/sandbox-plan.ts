/** What one command may write, what is closed to it, and what it does not see: real paths, all of which exist. */
import { lstatSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { isInside } from "@bough/session/log/index.js";
import { attempt } from "@bough/session/text/index.js";
import { ToolFailure } from "../tool-failure.js";
import type { Matches } from "./existing-matches.js";
import { aliasesOf, type Mount } from "./mount-aliases.js";
import type { Places } from "./protected-places.js";
import { keyFiles, type SandboxPlace } from "./sandbox-paths.js";

export interface SandboxPlan {
  readonly cwd: string;
  /** Open for writing, parents before what is in them. */
  readonly writable: readonly string[];
  /** Closed for writing inside what is open. */
  readonly closed: readonly string[];
  readonly hidden: readonly Hidden[];
  /** Sockets the user named: the only ones of this machine that can be used. */
  readonly sockets: readonly string[];
}

export interface Hidden {
  readonly path: string;
  readonly kind: "folder" | "file" | "socket";
}

/** What rules open and deny. */
export interface RuledNow {
  readonly write: readonly string[];
  readonly denyWrite: readonly Matches[];
  readonly denyRead: readonly Matches[];
}

export interface PlanOptions extends SandboxPlace {
  readonly rules: RuledNow;
  readonly places: Places;
  /** Folders of git outside the working directory that belong to it. */
  readonly gitFolders: readonly string[];
  readonly hostSockets: readonly string[];
  readonly sockets: readonly string[];
  readonly mounts: readonly Mount[];
}

/** Every mount makes the start of a command slower; beyond this, rules have to name folders. */
export const MOST_MOUNTS = 500;
/** Files in one folder, above which the folder is hidden. */
const MOST_IN_FOLDER = 20;

export function sandboxPlan(options: PlanOptions): SandboxPlan {
  const { cwd, home, rules, places, mounts } = options;
  // Rather too much is closed than too little.
  const ruled = reals(notTooMany(rules.denyWrite.flatMap((one) => (one.isComplete ? one.paths : [one.base]))));
  const bough = reals([home]);
  const isClosed = (path: string) =>
    ruled.some((one) => isInside(one, path)) ||
    bough.some((one) => isInside(one, path) && !(isInside(one, cwd) && isInside(cwd, path)));
  const named = reals(rules.write);
  const writable = reals([cwd, tmpdir(), "/tmp", ...named, ...options.gitFolders]).filter((path) => !isClosed(path));
  const isOpen = (path: string) => writable.some((one) => isInside(one, path));
  // What a rule names exactly is open, even if it decides what runs: that is what the rule is for.
  const protectedNow = reals([...places.closed.keys()]).filter((path) => !named.some((one) => isInside(path, one)));
  const closed = [...ruled, ...bough.filter((path) => !isInside(path, cwd)), ...protectedNow];
  const own = bough.filter((path) => isInside(path, cwd) && path !== cwd);
  const sockets = reals(options.sockets);
  const hidden = hiddenPaths(options, sockets);
  const trapped = hidden.find(({ path }) => isInside(path, cwd));
  if (trapped !== undefined) {
    throw new ToolFailure(
      `A rule denies reading ${trapped.path}, which contains the working directory. Change the rule`,
    );
  }
  const plan: SandboxPlan = {
    cwd,
    writable: ordered([...writable, ...places.pinned.filter((path) => isOpen(path) && !isClosed(path))]),
    closed: ordered([...closed, ...own].flatMap((path) => aliasesHere(path, mounts)).filter(isOpen)),
    hidden,
    sockets,
  };
  notTooMany([...plan.closed, ...plan.hidden]);
  return plan;
}

function notTooMany<Path>(paths: readonly Path[]): readonly Path[] {
  if (paths.length <= MOST_MOUNTS) return paths;
  throw new ToolFailure(
    `The sandbox would have to protect ${paths.length} paths one by one, more than ${MOST_MOUNTS}. Let rules deny folders instead of patterns`,
  );
}

function hiddenPaths(options: PlanOptions, sockets: readonly string[]): readonly Hidden[] {
  const { cwd, home, rules, mounts } = options;
  const denied = notTooMany(rules.denyRead.flatMap((matches) => deniedNow(matches, cwd)));
  const files = reals([...keyFiles(home), ...denied]);
  const found = new Map<string, Hidden>();
  const hide = (path: string) => {
    for (const one of aliasesHere(path, mounts)) {
      // The superuser sees what is behind other users' closed folders. Inside, nobody does, and nothing can be mounted there.
      const kind = isReachable(one) ? kindOf(one) : undefined;
      if (kind !== undefined) found.set(one, { path: one, kind });
    }
  };
  for (const path of files) hide(path);
  for (const path of options.hostSockets) {
    const isOver = sockets.some((one) => isInside(path, one)) || isInside(path, cwd);
    if (!isOver) hide(path);
  }
  // What is in a hidden folder is not there.
  const folders = [...found.values()].filter(({ kind }) => kind === "folder");
  return [...found.values()]
    .filter(({ path }) => !folders.some((folder) => folder.path !== path && isInside(folder.path, path)))
    .sort((a, b) => a.path.length - b.path.length);
}

/** Where many files of a folder match, the folder. */
function deniedNow({ pattern, paths, base, isComplete }: Matches, cwd: string): readonly string[] {
  const tooMany = () =>
    new ToolFailure(
      `Too many files match the rule that denies reading ${pattern}: the sandbox cannot hide each. Let the rule deny a folder`,
    );
  if (!isComplete) {
    if (isInside(base, cwd)) throw tooMany();
    return [base];
  }
  if (paths.length <= MOST_IN_FOLDER) return paths;
  const byFolder = new Map<string, string[]>();
  for (const path of paths) {
    const inIt = byFolder.get(dirname(path));
    if (inIt === undefined) byFolder.set(dirname(path), [path]);
    else inIt.push(path);
  }
  return [...byFolder].flatMap(([folder, inIt]) => {
    if (inIt.length <= MOST_IN_FOLDER) return inIt;
    if (isInside(folder, cwd)) throw tooMany();
    return [folder];
  });
}

/** Real paths of what exists, each once. */
export function reals(paths: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (const path of paths) {
    const real = attempt(() => realpathSync(path));
    if (real !== undefined) found.add(real);
  }
  return [...found];
}

function ordered(paths: readonly string[]): readonly string[] {
  return [...new Set(paths)].sort((a, b) => a.length - b.length);
}

/** Other paths of the same file, as far as it really is the same. */
function aliasesHere(path: string, mounts: readonly Mount[]): readonly string[] {
  const aliases = aliasesOf(path, mounts);
  if (aliases.length === 1) return aliases;
  const own = attempt(() => lstatSync(path));
  return aliases.filter((one) => {
    const stats = one === path ? own : attempt(() => lstatSync(one));
    return stats !== undefined && stats.ino === own?.ino && stats.dev === own.dev;
  });
}

/** Whether every folder above can be entered without the rights of the superuser. */
export function isReachable(path: string): boolean {
  const [user, groups] = [process.getuid?.(), process.getgroups?.() ?? []];
  if (user !== 0) return true;
  for (let at = dirname(path); ; at = dirname(at)) {
    const stats = attempt(() => lstatSync(at));
    if (stats === undefined) return false;
    const isMember = groups.includes(stats.gid) && (stats.mode & 0o010) !== 0;
    if (stats.uid !== user && !isMember && (stats.mode & 0o001) === 0) return false;
    if (at === dirname(at)) return true;
  }
}

function kindOf(path: string): Hidden["kind"] | undefined {
  const stats = attempt(() => lstatSync(path));
  if (stats === undefined) return undefined;
  return stats.isDirectory() ? "folder" : stats.isSocket() ? "socket" : "file";
}
