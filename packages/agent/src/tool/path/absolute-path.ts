/** Makes a path from the model absolute: relative to the working directory; `~` is the home folder. */
import { homedir } from "node:os";
import { resolve } from "node:path";
import { z } from "zod";

export function absolutePath(path: string, cwd: string): string {
  const expanded = path === "~" || path.startsWith("~/") ? homedir() + path.slice(1) : path;
  return resolve(cwd, expanded);
}

/** The schema of a path field. */
export function pathField(description: string): z.ZodString {
  return z
    .string()
    .min(1)
    .refine((path) => !path.includes("\0"), "a path cannot contain a NUL character")
    .describe(`${description} Relative to the working directory, absolute, or starting with ~/.`);
}
