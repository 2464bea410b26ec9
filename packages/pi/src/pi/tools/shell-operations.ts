/** Runs shell commands through operations, on this machine or wherever an extension runs them. */
import { existsSync } from "node:fs";
import { commandEnvironment } from "@bough/agent/tool/index.js";
import { runProcess } from "@bough/agent/tool/internal.js";

export interface BashOperations {
  exec(
    command: string,
    cwd: string,
    options: {
      readonly onData: (data: Buffer) => void;
      readonly signal?: AbortSignal;
      /** Seconds. */
      readonly timeout?: number;
      readonly env?: NodeJS.ProcessEnv;
    },
  ): Promise<{ readonly exitCode: number | null }>;
}

export function getShellConfig(shellPath?: string): { readonly shell: string; readonly args: readonly string[] } {
  if (shellPath !== undefined) {
    if (!existsSync(shellPath)) throw new Error(`Shell not found: ${shellPath}`);
    return { shell: shellPath, args: ["-c"] };
  }
  return { shell: existsSync("/bin/bash") ? "/bin/bash" : "sh", args: ["-c"] };
}

/** The longest delay of a timer. */
const NO_LIMIT_MS = 2 ** 31 - 1;
const KILL_GRACE_MS = 2000;

/**
 * Runs commands like our own bash tool, without providers' keys in their environment. Throws `aborted` and
 * `timeout:<seconds>`.
 */
export function createLocalBashOperations(options: { readonly shellPath?: string } = {}): BashOperations {
  return {
    exec: async (command, cwd, { onData, signal = new AbortController().signal, timeout, env }) => {
      const { shell, args } = getShellConfig(options.shellPath);
      const end = await runProcess({
        program: shell,
        args: [...args, command],
        cwd,
        env: env ?? commandEnvironment(process.env),
        signal,
        timeoutMs: timeout === undefined ? NO_LIMIT_MS : Math.min(timeout * 1000, NO_LIMIT_MS),
        killGraceMs: KILL_GRACE_MS,
        onData,
      });
      if (end.kind === "aborted") throw new Error("aborted");
      if (end.kind === "timeout") throw new Error(`timeout:${timeout}`);
      return { exitCode: end.exitCode ?? (end.signal === null ? null : 128) };
    },
  };
}
