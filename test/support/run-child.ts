import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** A child that runs longer than this is stuck: it is ended, and the test fails. */
const STUCK_MS = 100_000;

/** Path of a script beside this file. */
export function support(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

/** Runs a script of this folder to its end and answers what it printed. Throws where it failed or got stuck. */
export async function runChild(name: string, args: readonly string[]): Promise<string> {
  const child = spawn(process.execPath, [support(name), ...args], { timeout: STUCK_MS, killSignal: "SIGKILL" });
  let output = "";
  let errors = "";
  child.stdout.on("data", (chunk) => {
    output += chunk;
  });
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  const [code, signal] = await once(child, "close");
  if (code !== 0) throw new Error(`${name} ended with ${signal ?? code}: ${errors}`);
  return output;
}
