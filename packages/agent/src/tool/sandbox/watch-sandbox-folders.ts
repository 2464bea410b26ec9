/** Removes the names of sockets and files of sandboxes when this process ends, even if it is killed. */
import { spawn } from "node:child_process";
import type { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ownerMark } from "@bough/session/log/index.js";
import { SOCKET_FOLDER } from "./host-sockets.js";

/** Reads to the end of its input, which comes with the end of this process. Signals to the user's terminal do not end it. */
const SCRIPT = 'trap "" HUP INT TERM; read -r _; rm -rf -- "$1"*';

const watched = new Set<string>();

/** A shell waits for the end of this process. Call it before a folder of sandboxes is created. */
export function watchSandboxFolders(): void {
  const start = join(tmpdir(), `bough-${SOCKET_FOLDER}-${ownerMark()}-`);
  if (watched.has(start)) return;
  const shell = spawn("/bin/sh", ["-c", SCRIPT, "sh", start], {
    cwd: "/",
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  // Without it, the next start removes them.
  shell.on("error", () => undefined);
  shell.stdin.on("error", () => undefined);
  shell.unref();
  (shell.stdin as Partial<Socket>).unref?.();
  watched.add(start);
}
