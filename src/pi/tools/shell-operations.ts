/** Shell commands through operations: on this machine, or wherever an extension runs them. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { commandEnvironment } from "../../tool/index.js";

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

/** Commands run in a process group of their own, which ends with the signal or the time limit. Keys of providers are not in their environment. */
export function createLocalBashOperations(options: { readonly shellPath?: string } = {}): BashOperations {
  return {
    exec: (command, cwd, { onData, signal, timeout, env }) =>
      new Promise((resolve, reject) => {
        const { shell, args } = getShellConfig(options.shellPath);
        const child = spawn(shell, [...args, command], {
          cwd,
          env: env ?? commandEnvironment(process.env),
          detached: true,
          stdio: ["ignore", "pipe", "pipe"],
        });
        let ended: "aborted" | "timeout" | undefined;
        const stop = (why: "aborted" | "timeout"): void => {
          ended ??= why;
          try {
            if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
          } catch {
            // It has ended by itself.
          }
        };
        const timer = timeout === undefined ? undefined : setTimeout(() => stop("timeout"), timeout * 1000);
        const onAbort = (): void => stop("aborted");
        signal?.addEventListener("abort", onAbort, { once: true });
        if (signal?.aborted === true) onAbort();
        child.stdout.on("data", onData);
        child.stderr.on("data", onData);
        child.on("error", reject);
        child.on("close", (code, killedBy) => {
          clearTimeout(timer);
          signal?.removeEventListener("abort", onAbort);
          if (ended === "aborted") reject(new Error("aborted"));
          else if (ended === "timeout") reject(new Error(`timeout:${timeout}`));
          else resolve({ exitCode: code ?? (killedBy === null ? null : 128) });
        });
      }),
  };
}
