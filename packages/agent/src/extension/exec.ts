import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { startFailure, startProgram } from "@bough/session/log/index.js";
import { errorText } from "@bough/session/text/index.js";

export interface ExecOptions {
  readonly cwd?: string;
  readonly signal?: AbortSignal;
  /** Milliseconds. */
  readonly timeout?: number;
  /** The same as `timeout`. */
  readonly timeoutMs?: number;
}

export interface ExecResult {
  readonly stdout: string;
  readonly stderr: string;
  /** The exit code; 1 if it was killed or could not be started. */
  readonly code: number;
  /** Null if it was killed or could not be started. */
  readonly exitCode: number | null;
  readonly killed: boolean;
}

const MOST_OUTPUT = 10 << 20;

/** Runs a program without a shell. Never throws: if it cannot be started, `exitCode` is null and `stderr` says why. */
export function exec(command: string, args: readonly string[], options: ExecOptions = {}): Promise<ExecResult> {
  return new Promise((settle) => {
    const output = { stdout: "", stderr: "" };
    let killed = false;
    const attempt = { program: command, cwd: options.cwd };
    let child: ChildProcessByStdio<null, Readable, Readable>;
    try {
      child = startProgram(attempt, (found) =>
        spawn(found, [...args], { cwd: options.cwd, stdio: ["ignore", "pipe", "pipe"] }),
      );
    } catch (error) {
      // Invalid arguments, such as one that contains NUL.
      settle({ stdout: "", stderr: errorText(error), code: 1, exitCode: null, killed });
      return;
    }
    const kill = () => {
      killed = true;
      child.kill("SIGKILL");
    };
    const limitMs = options.timeout ?? options.timeoutMs;
    const timer = limitMs === undefined ? undefined : setTimeout(kill, limitMs);
    if (options.signal?.aborted) kill();
    options.signal?.addEventListener("abort", kill, { once: true });
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8");
      child[name].on("data", (text: string) => {
        if (output[name].length < MOST_OUTPUT) output[name] += text;
      });
    }
    const finish = (exitCode: number | null) => {
      clearTimeout(timer);
      options.signal?.removeEventListener("abort", kill);
      settle({ ...output, code: exitCode ?? 1, exitCode, killed });
    };
    child.on("error", (error) => {
      output.stderr += startFailure(error, attempt);
      finish(null);
    });
    child.on("close", (code) => finish(code));
  });
}
