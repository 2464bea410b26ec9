/** Copies with `cp`, which takes half the time of copying file by file. */
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { startProgram } from "@bough/session/log/index.js";

/** More would not fit on a command line. */
const MOST_NAMES = 1000;

/**
 * Copies these files and folders with their times and permissions. False if that is not possible here, or failed: then
 * nothing is left of them.
 */
export async function copyWithSystem(
  names: readonly string[],
  { from, to, signal }: { readonly from: string; readonly to: string; readonly signal?: AbortSignal },
): Promise<boolean> {
  if (names.length === 0) return true;
  if (names.length > MOST_NAMES || process.platform === "win32") return false;
  const share = process.platform === "linux" ? ["--reflink=auto"] : [];
  const args = ["-a", ...share, "--", ...names.map((name) => join(from, name)), to];
  const env = { ...process.env, LC_ALL: "C" };
  const code = await new Promise<number | null>((settle) => {
    const child = startProgram({ program: "cp", cwd: to, env }, (found) =>
      spawn(found, args, { cwd: to, env, stdio: "ignore", signal }),
    );
    child.on("error", () => settle(null));
    child.on("close", settle);
  });
  if (code === 0) return true;
  for (const name of names) rmSync(join(to, name), { recursive: true, force: true });
  return false;
}
