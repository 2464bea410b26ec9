/** Identifies a project on every machine, even though its folders differ. */
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
 * The name that the folder was given on this machine with `rememberProject`. Otherwise the address of the repository's
 * remote and the path in it, normalized and without user names and passwords. Undefined for a folder with neither: such
 * a project has to be named.
 *
 *     git@example.com:team/app.git   https://me@example.com/team/app   ->   example.com/team/app
 */
export async function projectOf(cwd: string, home: string = boughHome()): Promise<string | undefined> {
  return projectNameOf(home, cwd) ?? (await remoteProjectOf(cwd));
}

export interface RememberProjectOptions {
  /** Default: `$BOUGH_HOME`. */
  readonly home?: string;
  /** Only return the name. */
  readonly dryRun?: boolean;
}

/**
 * Names a folder's project until it is named again, and returns the name, which takes precedence over a git remote.
 * Passing the remote's own project forgets the name. Rejects with `store-unknown` for an invalid name.
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

/** Normalizes addresses like `projectOf`, so that a stored name never contains a password. */
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

/** The same for every spelling of a remote's address. Released: the result for valid addresses must not change. */
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

/** For `git@host:path` or a path. */
function shortPlace(remote: string): string {
  const [, host, path] = /^(?:[^@/]+@)?([^/:]+):(?!\/\/)(.+)$/.exec(remote) ?? [];
  const place = host === undefined ? remote : `${host}/${path}`;
  // Addresses of git remote helpers contain a whole address: `helper::https://me:secret@host/app`.
  return place.replace(/(https?:\/\/)[^/@]*@/, "$1").replace(/(:\/\/)[^/@]*:[^@]*@/, "$1");
}

/**
 * Host and path of an address that is not a valid URL. Undefined if it cannot contain a password, and so stays as it
 * is.
 */
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
    // Not a repository, no remote, or git is not installed.
    return undefined;
  }
}

/** Drops variables that a hook sets for its own repository. Keeps those with which users configure git. */
function environment(): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) =>
    /^GIT_(?:CEILING_DIRECTORIES|DISCOVERY_ACROSS_FILESYSTEM|CONFIG_(?:COUNT|KEY_\d+|VALUE_\d+))$/.test(name),
  );
  return { ...gitEnvironment(), ...Object.fromEntries(kept), GIT_OPTIONAL_LOCKS: "0" };
}
