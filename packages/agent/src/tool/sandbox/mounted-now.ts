/** What the mounts of a sandbox depend on: if it is the same later, the sandbox would be set up the same way. */
import { lstatSync, readFileSync } from "node:fs";
import { attempt } from "@bough/session/text/index.js";
import type { PrepareOptions } from "./sandbox-engine.js";

/**
 * The paths of the plan, what is there now, and the mounts of this machine. A mount belongs to the file that was at its
 * path, and is gone once another one takes that path.
 */
export function mountedNow({ plan, temporary }: PrepareOptions): string {
  const paths = [...plan.writable, ...plan.closed, ...plan.sockets, ...plan.hidden.map(({ path }) => path)];
  const mounts = attempt(() => readFileSync("/proc/self/mountinfo", "utf8")) ?? "";
  return JSON.stringify([plan, temporary, paths.map(stateOf), mounts]);
}

/** Names of folders cannot be taken and given back. Those of files can, which changes their time. */
function stateOf(path: string): string {
  const stats = attempt(() => lstatSync(path, { bigint: true }));
  if (stats === undefined) return "";
  const { dev, ino, mode, birthtimeNs, ctimeNs } = stats;
  return [dev, ino, mode, birthtimeNs, stats.isDirectory() ? "" : ctimeNs].join(":");
}
