/** The door every file access goes through: where does the path lead, and may we go there? */
import { existsSync, lstatSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { boughHome } from "@bough/session/session/index.js";
import type { PermissionDecision, PermissionRequest, ToolContext } from "../tool.js";
import { ToolFailure } from "../tool-failure.js";
import { absolutePath } from "./absolute-path.js";
import { existingSpelling } from "./existing-spelling.js";
import { isInside, isWorkPath, type WorkPlace } from "./inside.js";
import { realTarget } from "./real-target.js";

interface PathUse {
  readonly tool: string;
  readonly action: "read" | "write";
  /** As the model wrote it. */
  readonly path: string;
  /** Folders outside that may be read without asking, such as those of skills. */
  readonly readable?: readonly string[];
}

export interface AllowedPath {
  /** The path to use: no link is left in it, so what was asked for is what is touched. */
  readonly real: string;
  /** The path to show: relative inside the working directory, else absolute. */
  readonly shown: string;
  readonly place: WorkPlace;
}

/**
 * Gives the real path, or throws a `ToolFailure` with the reason it may not be used. Reading inside the working
 * directory, in `outputDir` and in readable folders does not ask; reading elsewhere and every write does. The file
 * with the keys is refused whatever anyone answers: its content would end up in the session file.
 */
export async function allowedPath(use: PathUse, context: ToolContext): Promise<AllowedPath> {
  const { readable, ...path } = await locatePath(use, context);
  if (use.action === "write" || !readable) {
    await askPermission({ tool: use.tool, action: use.action, target: path.real }, context);
  }
  return path;
}

/** Where the path leads, and whether it may be read without asking. Asks no one; refuses the file with the keys. */
export async function locatePath(
  use: PathUse,
  context: ToolContext,
): Promise<AllowedPath & { readonly readable: boolean }> {
  const place = await workPlace(context.cwd);
  const real = await realTarget(namedPath(use, place.cwd));
  if (isKeyFile(real, place)) throw new ToolFailure(`${real} contains keys, so tools may not access it`);
  const shown = isInside(place.cwd, real) ? relative(place.cwd, real) || "." : real;
  const readable = isWorkPath(real, place) || (await isReadable(real, [context.outputDir, ...(use.readable ?? [])]));
  return { real, shown, place, readable };
}

/** A file that is to be there already is found under the name it has; people and models also write an `@` before it. */
export function namedPath({ tool, action, path }: PathUse, cwd: string): string {
  const named = absolutePath(path, cwd);
  if (action === "write" && tool !== "edit") return named;
  const found = existingSpelling(named);
  if (existsSync(found) || !path.startsWith("@") || path.length === 1) return found;
  const plain = existingSpelling(absolutePath(path.slice(1), cwd));
  return existsSync(plain) ? plain : named;
}

/** Throws a `ToolFailure` where the answer is no, or the operation is stopped while no one has answered yet. */
export async function askPermission(request: PermissionRequest, context: ToolContext): Promise<void> {
  const decision = await answerOrAbort(context.permit(request), context.signal);
  if (!decision.allowed) throw new ToolFailure(decision.reason);
}

export async function workPlace(cwd: string): Promise<WorkPlace> {
  return { cwd: await realTarget(cwd), home: await realTarget(boughHome()) };
}

/** Whether this is the file with the keys, also under another name: a hard link has the same contents. */
function isKeyFile(path: string, { home }: WorkPlace): boolean {
  const keys = join(home, "auth.json");
  if (path === keys) return true;
  const original = statSync(keys, { throwIfNoEntry: false });
  // With a single name there is nothing to compare: almost always.
  if (original === undefined || original.nlink === 1) return false;
  const other = lstatSync(path, { throwIfNoEntry: false });
  return other !== undefined && other.ino === original.ino && other.dev === original.dev;
}

/** For walks over many files: leaves out the keys always, and Bough's folder unless the walk began inside it. */
export function isClosedTo(
  root: string,
  { path, place }: { readonly path: string; readonly place: WorkPlace },
): boolean {
  if (isKeyFile(path, place)) return true;
  return isInside(place.home, path) && !isInside(place.home, root);
}

async function isReadable(real: string, folders: readonly string[]): Promise<boolean> {
  for (const folder of folders) if (isInside(await realTarget(folder), real)) return true;
  return false;
}

function answerOrAbort(answer: Promise<PermissionDecision>, signal: AbortSignal): Promise<PermissionDecision> {
  return new Promise((resolve, reject) => {
    const stop = () => resolve({ allowed: false, reason: "Stopped before the question was answered." });
    signal.addEventListener("abort", stop, { once: true });
    if (signal.aborted) stop();
    answer.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
  });
}
