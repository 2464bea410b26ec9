/** Selected paths, and everything below them. */
import { realpathSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { isFilePath } from "@bough/session/entry/internal.js";
import { attempt } from "@bough/session/text/index.js";
import { CheckpointError } from "./checkpoint-error.js";

/** Whether a path is one of these or below one of them. Without a list, every path is selected. */
export function pathFilter(paths: readonly string[] | undefined): (path: string) => boolean {
  if (paths === undefined) return () => true;
  const chosen = paths.map((path) => path.replace(/\/+$/, ""));
  return (path) => chosen.some((one) => path === one || path.startsWith(`${one}/`) || one === ".");
}

/**
 * A path as a person typed it, relative to `cwd` or absolute, made relative to the root. Throws `unsafe-path` if it is
 * outside.
 */
export function pathInRoot(given: string, { root, cwd }: { readonly root: string; readonly cwd: string }): string {
  const path = relative(root, withRealFolder(resolve(cwd, given)))
    .split(sep)
    .join("/");
  if (path === "") return ".";
  if (isFilePath(path)) return path;
  throw new CheckpointError("unsafe-path", `${given} is not a file path in ${root}`, {
    data: { path: given, root },
    hint: "Only files in this folder and outside .git are recorded.",
  });
}

/** The root is a real path, but a folder may be reached through a link. The file itself may be a link or missing. */
function withRealFolder(path: string): string {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const real = attempt(() => realpathSync(folder));
    if (real !== undefined) return join(real, relative(folder, path));
    if (folder === dirname(folder)) return path;
  }
}
