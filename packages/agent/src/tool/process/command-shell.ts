/** The shell that commands run in. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

export interface CommandShell {
  readonly program: string;
  readonly isBash: boolean;
  /** Major version of bash; 0 for another shell, or if unknown. */
  readonly version: number;
}

let found: CommandShell | undefined;

/** Looked up once. */
export function commandShell(): CommandShell {
  if (found === undefined) {
    const isBash = existsSync("/bin/bash");
    found = isBash
      ? { program: "/bin/bash", isBash, version: versionOf("/bin/bash") }
      : { program: "/bin/sh", isBash, version: 0 };
  }
  return found;
}

function versionOf(program: string): number {
  const { stdout } = spawnSync(program, ["--norc", "--noprofile", "-c", "echo $BASH_VERSINFO"], {
    encoding: "utf8",
    env: {},
    timeout: 5000,
  });
  return Number(/^\d+/.exec(stdout ?? "")?.[0] ?? 0);
}

/**
 * The environment of a shell, without CDPATH, so that `cd` goes where it says, and with `$PWD` set to the exact folder
 * it starts in, even if links give that folder other names.
 */
export function shellEnvironment(env: NodeJS.ProcessEnv, cwd: string): NodeJS.ProcessEnv {
  const { CDPATH: _, OLDPWD: __, ...rest } = env;
  return { ...rest, PWD: cwd };
}
