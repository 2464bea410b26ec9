/** Finds the programs of the sandbox, and says what is missing and how to get it. */
import { execFile } from "node:child_process";
import { accessSync, constants, existsSync, readFileSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { promisify } from "node:util";
import { isInside } from "@bough/session/log/index.js";
import { attempt } from "@bough/session/text/index.js";

export interface Problem {
  /** Without a final period. */
  readonly reason: string;
  readonly fix: string;
}

export type Found<T> = { readonly kind: "found"; readonly programs: T } | ({ readonly kind: "problem" } & Problem);

export interface LinuxPrograms {
  readonly bwrap: string;
  readonly socat: string;
}

const INSTALL = "On Debian and Ubuntu: apt install bubblewrap socat";
/** The first with `--perms`. */
const OLDEST = [0, 5, 0] as const;

const NEWER = `Install bubblewrap ${OLDEST.join(".")} or newer.`;

/** A machine may be busy: only a program that hangs takes this long. */
const VERSION_LIMIT_MS = 60_000;

export interface ProgramsOptions {
  readonly cwd: string;
  /** Looked through in this order. By default those of the system, then `PATH`. */
  readonly folders?: readonly string[];
}

/** Programs of the project are not trusted to build its sandbox. */
export async function linuxPrograms({ cwd, folders = usualFolders() }: ProgramsOptions): Promise<Found<LinuxPrograms>> {
  const bwrap = programIn(folders, "bwrap", cwd);
  const socat = programIn(folders, "socat", cwd);
  const missing = [...(bwrap === undefined ? ["bubblewrap"] : []), ...(socat === undefined ? ["socat"] : [])];
  if (bwrap === undefined || socat === undefined) {
    return {
      kind: "problem",
      reason: `${missing.join(" and ")} ${missing.length > 1 ? "are" : "is"} not installed`,
      fix: INSTALL,
    };
  }
  const said = await promisify(execFile)(bwrap, ["--version"], { timeout: VERSION_LIMIT_MS }).catch(() => undefined);
  const version = /(\d+)\.(\d+)\.(\d+)/.exec(said?.stdout ?? "");
  if (version === null) return { kind: "problem", reason: `${bwrap} does not run`, fix: INSTALL };
  if (isOlder(version.slice(1).map(Number), OLDEST)) {
    return {
      kind: "problem",
      reason: `bubblewrap ${version[0]} is too old`,
      fix: NEWER,
    };
  }
  return { kind: "found", programs: { bwrap, socat } };
}

function isOlder(version: readonly number[], than: readonly number[]): boolean {
  for (const [at, wanted] of than.entries()) {
    const here = version[at] ?? 0;
    if (here !== wanted) return here < wanted;
  }
  return false;
}

function usualFolders(): readonly string[] {
  return ["/usr/bin", "/usr/local/bin", "/bin", ...(process.env.PATH ?? "").split(delimiter)];
}

function programIn(folders: readonly string[], name: string, cwd: string): string | undefined {
  for (const folder of folders) {
    const file = join(folder, name);
    if (!isAbsolute(folder) || attempt(() => accessSync(file, constants.X_OK) ?? true) !== true) continue;
    const real = attempt(() => realpathSync(file));
    if (real !== undefined && ![cwd, tmpdir(), "/tmp"].some((open) => isInside(open, real))) return file;
  }
  return undefined;
}

/** Why bubblewrap could not make a sandbox: what it said, and what this system forbids. `root` is that of the file system. */
export function namespaceProblem(said: string, root = "/"): Problem {
  const system = (name: string) => attempt(() => readFileSync(join(root, "proc/sys", name), "utf8").trim());
  const first = (said.trim().split("\n")[0] ?? "").replace(/\.$/, "");
  const reason = first === "" ? "a command inside it failed without a message" : first;
  if (/unknown option/i.test(said)) return { reason: `bubblewrap is too old (${reason})`, fix: NEWER };
  if (system("user/max_user_namespaces") === "0") {
    return {
      reason: `user namespaces are switched off (${reason})`,
      fix: "Allow them: sudo sysctl user.max_user_namespaces=15000",
    };
  }
  if (said.includes("ENOSPC")) {
    return {
      reason: `no more user namespaces are allowed (${reason})`,
      fix: "Allow more where this system was started: sudo sysctl user.max_user_namespaces=15000. In a sandbox or container that forbids them, start Bough outside.",
    };
  }
  if (isContainer(root)) {
    return {
      reason: `this container does not allow it (${reason})`,
      fix: "Start the container with: --security-opt seccomp=unconfined --security-opt apparmor=unconfined --security-opt systempaths=unconfined",
    };
  }
  if (system("kernel/unprivileged_userns_clone") === "0") {
    return {
      reason: `unprivileged user namespaces are switched off (${reason})`,
      fix: "Allow them: sudo sysctl kernel.unprivileged_userns_clone=1",
    };
  }
  if (system("kernel/apparmor_restrict_unprivileged_userns") === "1") {
    return {
      reason: `AppArmor does not let bubblewrap create user namespaces (${reason})`,
      fix: "Give bwrap an AppArmor profile that allows it: bough sandbox install.",
    };
  }
  return {
    reason,
    fix: "Run `bwrap --unshare-user --unshare-net --ro-bind / / --proc /proc true` to see what this system forbids.",
  };
}

function isContainer(root: string): boolean {
  const isMarked = [".dockerenv", "run/.containerenv"].some((path) => existsSync(join(root, path)));
  return isMarked || process.env.container !== undefined;
}
