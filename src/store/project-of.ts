/** What sessions of one project have in common on every machine, although their folders differ. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { attempt } from "../text/index.js";

const run = promisify(execFile);

/**
 * The address of the repository's remote and the path in it, without user names, passwords and what writes the same
 * address in other ways. Undefined for a folder without one: such a project has to be named.
 *
 *     git@example.com:team/app.git   https://me@example.com/team/app   ->   example.com/team/app
 */
export async function projectOf(cwd: string): Promise<string | undefined> {
  const [remote, prefix] = await Promise.all([
    git(cwd, ["config", "--get", "remote.origin.url"]),
    git(cwd, ["rev-parse", "--show-prefix"]),
  ]);
  if (remote === undefined || remote === "" || prefix === undefined) return undefined;
  const path = prefix.replace(/\/$/, "");
  return path === "" ? plainAddress(remote) : `${plainAddress(remote)}//${path}`;
}

export function plainAddress(remote: string): string {
  const short = /^(?:[^@/]+@)?([^/:]+):(?!\/\/)(.+)$/.exec(remote);
  const url = attempt(() => new URL(remote));
  const address =
    url !== undefined && url.host !== ""
      ? `${url.hostname}${url.pathname}`
      : short === null
        ? remote
        : `${short[1]}/${short[2]}`;
  return address
    .replace(/\/+$/, "")
    .replace(/\.git$/, "")
    .replace(/\/+$/, "");
}

async function git(cwd: string, args: readonly string[]): Promise<string | undefined> {
  try {
    const { stdout } = await run("git", ["-C", cwd, ...args], { env: { ...process.env, GIT_OPTIONAL_LOCKS: "0" } });
    return stdout.trim();
  } catch {
    // Not a repository, no remote, or no git: then there is nothing to go by.
    return undefined;
  }
}
