import { spawn } from "node:child_process";
import type { ExecOptions, ExecResult } from "./extension-api.js";

const MOST_OUTPUT = 10 << 20;

/** Runs a program without a shell. Does not throw: a program that cannot be started has exit code null and says why. */
export function exec(command: string, args: readonly string[], options: ExecOptions = {}): Promise<ExecResult> {
  return new Promise((settle) => {
    const output = { stdout: "", stderr: "" };
    let killed = false;
    const child = spawn(command, [...args], { cwd: options.cwd, stdio: ["ignore", "pipe", "pipe"] });
    const kill = () => {
      killed = true;
      child.kill("SIGKILL");
    };
    const timer = options.timeoutMs === undefined ? undefined : setTimeout(kill, options.timeoutMs);
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
      settle({ ...output, exitCode, killed });
    };
    child.on("error", (error) => {
      output.stderr += error.message;
      finish(null);
    });
    child.on("close", (code) => finish(code));
  });
}
