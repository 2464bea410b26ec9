/** Resolves a path even if it does not fully exist yet. */
import { readlink, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { systemCode, ToolFailure } from "../tool-failure.js";

const MOST_LINKS = 40;

/**
 * The real path of the nearest existing parent plus the missing parts. Follows symbolic links, including dangling ones:
 * writing through a dangling link creates its target, so the target is the result.
 */
export async function realTarget(path: string): Promise<string> {
  const missing: string[] = [];
  let current = path;
  let links = 0;
  for (;;) {
    try {
      return join(await realpath(current), ...missing);
    } catch (error) {
      const code = systemCode(error);
      if (code !== "ENOENT" && code !== "ENOTDIR") throw error;
    }
    const link = await danglingLink(current);
    if (link === undefined) {
      missing.unshift(basename(current));
      current = dirname(current);
      continue;
    }
    links++;
    if (links > MOST_LINKS) throw new ToolFailure(`Too many levels of symbolic links: ${path}`);
    current = resolve(await realpath(dirname(current)), link);
  }
}

async function danglingLink(path: string): Promise<string | undefined> {
  try {
    return await readlink(path);
  } catch (error) {
    const code = systemCode(error);
    if (code === "ENOENT" || code === "ENOTDIR" || code === "EINVAL") return undefined;
    throw error;
  }
}
