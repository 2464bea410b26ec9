/**
 * Bubblewrap covers a path by mounting over it, and creates it if it is gone by then: a socket of another program that ended
 * in the moment before. What was created that way is removed.
 */
import { lstatSync, rmdirSync, unlinkSync } from "node:fs";
import { dirname } from "node:path";
import { isInside } from "@bough/session/log/index.js";
import { attempt } from "@bough/session/text/index.js";
import type { SandboxPlan } from "./sandbox-plan.js";

/** Call it before the command starts, and what it returns once the command has ended. */
export function watchMasks({ writable, hidden }: SandboxPlan): () => void {
  const before = new Map<string, string>();
  for (const { path } of hidden) {
    const root = writable.find((one) => isInside(one, path));
    // Elsewhere, nothing can be created.
    if (root === undefined) continue;
    for (let at = path; at !== root && !before.has(at); at = dirname(at)) before.set(at, idOf(at) ?? "");
  }
  // What is in a folder before the folder.
  const paths = [...before.keys()].sort((a, b) => b.length - a.length);
  return () => {
    for (const path of paths) if (idOf(path) !== before.get(path)) removeEmpty(path);
  };
}

function removeEmpty(path: string): void {
  const stats = attempt(() => lstatSync(path));
  if (stats?.isDirectory() === true) attempt(() => rmdirSync(path));
  // As bubblewrap creates a file.
  else if (stats?.isFile() === true && stats.size === 0 && (stats.mode & 0o222) === 0) attempt(() => unlinkSync(path));
}

function idOf(path: string): string | undefined {
  const stats = attempt(() => lstatSync(path, { bigint: true }));
  return stats === undefined ? undefined : `${stats.dev}:${stats.ino}:${stats.birthtimeNs}`;
}
