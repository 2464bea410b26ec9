/** The folder in which Gemini CLI looks for the chats of a working directory. */
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { namesIn } from "../../../log/index.js";
import { attempt, isRecord } from "../../../text/index.js";
import { objectIn, stringIn } from "../../foreign-lines.js";

/** Names the working directory of a project's folder; Gemini CLI finds an unregistered folder by it. */
export const PROJECT_ROOT = ".project_root";

interface ProjectFolder {
  readonly path: string;
  /** Whether the folder says already whose it is. */
  readonly isMarked: boolean;
}

/**
 * The folder the program registered for the directory, or one that names it, or a new one with its own name. Only
 * reads: the program registers a folder it finds by its mark itself.
 */
export function projectFolder(geminiHome: string, cwd: string): ProjectFolder {
  const root = join(geminiHome, "tmp");
  const registered = registeredSlugs(geminiHome);
  const own = registered.get(cwd);
  const names = namesIn(root);
  if (own !== undefined && isFree(join(root, own), cwd)) {
    return { path: join(root, own), isMarked: ownerOf(join(root, own)) === cwd };
  }
  const marked = names.find((name) => ownerOf(join(root, name)) === cwd);
  if (marked !== undefined) return { path: join(root, marked), isMarked: true };
  const taken = new Set([...names, ...namesIn(join(geminiHome, "history")), ...registered.values()]);
  const slug = slugOf(cwd);
  let name = slug;
  for (let number = 1; taken.has(name); number++) name = `${slug}-${number}`;
  return { path: join(root, name), isMarked: false };
}

function slugOf(cwd: string): string {
  const words = basename(cwd)
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  return words?.join("-") ?? "project";
}

function registeredSlugs(geminiHome: string): ReadonlyMap<string, string> {
  const projects = objectIn(textIn(join(geminiHome, "projects.json")) ?? "")?.projects;
  const slugs = new Map<string, string>();
  for (const [cwd, slug] of Object.entries(isRecord(projects) ? projects : {})) {
    // The name is the file's word: it must not lead out of the folder.
    const name = stringIn(slug);
    if (name !== undefined && /^[\w-]+$/.test(name)) slugs.set(cwd, name);
  }
  return slugs;
}

function isFree(folder: string, cwd: string): boolean {
  const owner = ownerOf(folder);
  return owner === undefined || owner === cwd;
}

function ownerOf(folder: string): string | undefined {
  return textIn(join(folder, PROJECT_ROOT))?.trim();
}

function textIn(path: string): string | undefined {
  // Not there, or not ours to read.
  return attempt(() => readFileSync(path, "utf8"));
}
