/** Paths of a root that decide what gets executed: a restore writes them only after a separate question. */
import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { type Protection, protectionOf } from "@bough/session/text/index.js";
import { runGit } from "../scan/run-git.js";
import { foldedName } from "./folded-name.js";

export type ProtectedPaths = (path: string) => Protection | undefined;

/** Those known by name, and the hooks folder that git uses in this repository. */
export async function protectedPaths(root: string): Promise<ProtectedPaths> {
  const hooks = await hooksFolder(root);
  if (hooks === undefined) return protectionOf;
  const folded = foldedName(hooks);
  return (path) => {
    const protection = protectionOf(path);
    if (protection !== undefined) return protection;
    const name = foldedName(path);
    // Hooks in the top folder itself are files there; everything below it is the project.
    const isHook = folded === "" ? dirname(name) === "." : name === folded || name.startsWith(`${folded}/`);
    return isHook ? "runs" : undefined;
  };
}

/** Relative to the root, with `/`; undefined if it is in `.git`, as usual, or outside the root. */
async function hooksFolder(root: string): Promise<string | undefined> {
  if (!existsSync(join(root, ".git"))) return undefined;
  const found = await runGit(["config", "--null", "--type=path", "--get-all", "core.hooksPath"], { cwd: root });
  // The last value is ours: no hook runs while Bough calls git.
  const named = found?.toString().split("\0").slice(0, -2).at(-1);
  if (named === undefined || named === "") return undefined;
  const below = relative(root, resolve(root, named)).split(sep).join("/");
  return below === ".." || below.startsWith("../") || isAbsolute(below) ? undefined : below;
}
