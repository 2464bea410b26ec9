/** Starts Node in an empty folder with its own home, until it exits or prints its first line. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** @param {{ args: readonly string[], until: "end" | "line" }} input */
export async function run({ args, until }) {
  const folder = mkdtempSync(join(tmpdir(), "bough-bench-"));
  try {
    const env = { ...process.env, BOUGH_HOME: join(folder, "home") };
    const from = performance.now();
    const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ["pipe", "pipe", "ignore"] });
    const ended = once(child, "close");
    // With its input open, a server keeps running until it is told to stop.
    if (until === "end") child.stdin.end();
    let printed = "";
    const line = new Promise((resolve) => {
      child.stdout.setEncoding("utf8").on("data", (text) => {
        printed += text;
        if (printed.includes("\n")) resolve(undefined);
      });
    });
    await (until === "line" ? Promise.race([line, ended]) : ended);
    const ms = performance.now() - from;
    child.stdin.end();
    const [code] = await ended;
    return { ms, check: code === 0 ? (printed === "" ? "nothing" : "lines") : `exit ${code}` };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
