/** What sessions of one project have in common on every machine, although their folders differ. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { boughHome } from "@bough/session/session/index.js";
import { attempt } from "@bough/session/text/index.js";
import { gitEnvironment } from "./git/git-environment.js";
import { projectNameOf, writeProjectName } from "./project-names.js";
import { addressParts, hasStrayPassword } from "./shown-address.js";
import { StoreError } from "./store-error.js";

const run = promisify(execFile);

const MOST_CHARACTERS = 200;

/**
 * The name that was given to the folder on this machine with `rememberProject`. Without one, the address of the
 * repository's remote and the path in it, without user names, passwords and what writes the same address in other ways.
 * Undefined for a folder with neither: such a project has to be named.
 *
 *     git@example.com:team/app.git   https://me@example.com/team/app   ->   example.com/team/app
 */
export async function projectOf(cwd: string, home: string = boughHome()): Promise<string | undefined> {
  return projectNameOf(home, cwd) ?? (await remoteProjectOf(cwd));
}

export interface RememberProjectOptions {
  /** Default: `$BOUGH_HOME`. */
  readonly home?: string;
  /** Only answers the name. */
  readonly dryRun?: boolean;
}

/**
 * Gives a folder's project a name, until it is given another one; answers the name. It wins over a git remote. The
 * project of the remote itself forgets the name. Rejects with `store-unknown` if it cannot be a name.
 */
export async function rememberProject(
  cwd: string,
  name: string,
  { home = boughHome(), dryRun = false }: RememberProjectOptions = {},
): Promise<string> {
  const project = projectName(name);
  if (dryRun) return project;
  const isOfRemote = project === (await remoteProjectOf(cwd));
  writeProjectName(home, cwd, isOfRemote ? undefined : project);
  return project;
}

/** An address is what `projectOf` makes of it: what is stored never has a password in it. */
function projectName(typed: string): string {
  const name = typed.trim();
  const project = addressParts(name) === undefined && !/^[^/\\]+@[^/\\:]+:/.test(name) ? name : projectAddress(name);
  if (project === "" || project.length > MOST_CHARACTERS || /\p{Cc}/u.test(project))
    throw new StoreError("store-unknown", "Invalid project name", {
      hint: `Use up to ${MOST_CHARACTERS} characters on one line.`,
    });
  return project;
}

async function remoteProjectOf(cwd: string): Promise<string | undefined> {
  const [remote, prefix] = await Promise.all([
    git(cwd, ["config", "--get", "remote.origin.url"]),
    git(cwd, ["rev-parse", "--show-prefix"]),
  ]);
  if (remote === undefined || remote === "" || prefix === undefined) return undefined;
  const path = prefix.replace(/\/$/, "");
  return path === "" ? projectAddress(remote) : `${projectAddress(remote)}//${path}`;
}

/** The same for every way to write the address of a remote. Released: what it answers for valid addresses must not change. */
export function projectAddress(remote: string): string {
  return placeOf(remote)
    .replace(/\/+$/, "")
    .replace(/\.git$/, "")
    .replace(/\/+$/, "");
}

function placeOf(remote: string): string {
  const url = attempt(() => new URL(remote));
  if (url === undefined || hasStrayPassword(remote)) return withoutUser(remote) ?? shortPlace(remote);
  return url.host === "" ? shortPlace(remote) : `${url.hostname}${url.pathname}`;
}

/** `git@host:path`, or a path. */
function shortPlace(remote: string): string {
  const [, host, path] = /^(?:[^@/]+@)?([^/:]+):(?!\/\/)(.+)$/.exec(remote) ?? [];
  const place = host === undefined ? remote : `${host}/${path}`;
  // Helpers of git have whole addresses after their name: `helper::https://me:secret@host/app`.
  return place.replace(/(https?:\/\/)[^/@]*@/, "$1").replace(/(:\/\/)[^/@]*:[^@]*@/, "$1");
}

/** Host and path of what is not a valid URL. Undefined if no password can be in it: then it stays as it is. */
function withoutUser(remote: string): string | undefined {
  const { scheme = "", rest = "" } = addressParts(remote) ?? {};
  const at = rest.lastIndexOf("@");
  if (!/^https?$/.test(scheme) && !rest.slice(0, Math.max(0, at)).includes(":")) return undefined;
  const [host = "", ...path] = rest.slice(at + 1).split("/");
  return [host.replace(/:\d+$/, "").replace(":", "/"), ...path].join("/").replace(/[?#].*$/s, "");
}

async function git(cwd: string, args: readonly string[]): Promise<string | undefined> {
  try {
    const { stdout } = await run("git", ["-C", cwd, ...args], { env: environment() });
    return stdout.trim();
  } catch {
    // Not a repository, no remote, or no git: then there is nothing to go by.
    return undefined;
  }
}

/** A hook's repository is not the folder's. What a person sets for all repositories stays. */
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) =>
    /^GIT_(?:CEILING_DIRECTORIES|DISCOVERY_ACROSS_FILESYSTEM|CONFIG_(?:COUNT|KEY_\d+|VALUE_\d+))$/.test(name),
  );
  return { ...gitEnvironment(), ...Object.fromEntries(kept), GIT_OPTIONAL_LOCKS: "0" };
}
