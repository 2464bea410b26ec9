/** Every file access goes through here: resolves the path and checks whether it may be used. */
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
  /** Folders outside the working directory that may be read without asking, such as those of skills. */
  readonly readable?: readonly string[];
}

export interface AllowedPath {
  /** The path to use. It contains no link, so the approved file is the one that is accessed. */
  readonly real: string;
  /** The path to show: relative inside the working directory, otherwise absolute. */
  readonly shown: string;
  readonly place: WorkPlace;
}

/**
 * Returns the real path, or throws a `ToolFailure` with the reason why it may not be used. Asks before every write, and
 * before reading outside the working directory, `outputDir` and the readable folders. Always refuses the key file: its
 * content would end up in the session file.
 */
export async function allowedPath(use: PathUse, context: ToolContext): Promise<AllowedPath> {
  const { readable, ...path } = await locatePath(use, context);
  if (use.action === "write" || !readable) {
    await askPermission({ tool: use.tool, action: use.action, target: path.real }, context);
  }
  return path;
}

/** Resolves the path and tells whether it may be read without asking. Never asks; refuses the key file. */
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

/** Finds an existing file even if its name is spelled differently, or if an `@` was put before it, as in a prompt. */
export function namedPath({ tool, action, path }: PathUse, cwd: string): string {
  const named = absolutePath(path, cwd);
  if (action === "write" && tool !== "edit") return named;
  const found = existingSpelling(named);
  if (existsSync(found) || !path.startsWith("@") || path.length === 1) return found;
  const plain = existingSpelling(absolutePath(path.slice(1), cwd));
  return existsSync(plain) ? plain : named;
}

/** Throws a `ToolFailure` if the answer is no, or if the operation is stopped before there is an answer. */
export async function askPermission(
  request: PermissionRequest,
  context: ToolContext,
): Promise<Extract<PermissionDecision, { allowed: true }>> {
  const decision = await permissionFor(request, context);
  if (!decision.allowed) throw new ToolFailure(decision.reason);
  return decision;
}

/** The same, without throwing. */
export function permissionFor(request: PermissionRequest, context: ToolContext): Promise<PermissionDecision> {
  return answerOrAbort(context.permit(request), context.signal);
}

export async function workPlace(cwd: string): Promise<WorkPlace> {
  return { cwd: await realTarget(cwd), home: await realTarget(boughHome()) };
}

/** Whether this is the key file, including under another name (a hard link). */
function isKeyFile(path: string, { home }: WorkPlace): boolean {
  const keys = join(home, "auth.json");
  if (path === keys) return true;
  const original = statSync(keys, { throwIfNoEntry: false });
  // Almost always: it has no hard links, so there is nothing to compare.
  if (original === undefined || original.nlink === 1) return false;
  const other = lstatSync(path, { throwIfNoEntry: false });
  return other !== undefined && other.ino === original.ino && other.dev === original.dev;
}

/** For walks over many files: always skips the key file, and skips Bough's folder unless the walk started inside it. */
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
