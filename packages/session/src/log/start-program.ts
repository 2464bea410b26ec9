/** Starts a program that may not exist. */
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { errorText } from "../text/index.js";

interface Attempt {
  readonly program: string;
  /** Default: that of this process, also for `env`. */
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** The system's errors for a program that is not found: which one depends on the folders on PATH. */
const NOT_FOUND = new Set(["ENOENT", "EACCES", "ENOTDIR", "ELOOP", "ENAMETOOLONG"]);
const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;
const isNotFound = (error: unknown) => NOT_FOUND.has(codeOf(error) ?? "");

/** A path that no program has. A path below a regular file would give a different error. */
const NOWHERE = "/no program has this name";

/**
 * Calls `start` with the program, so that a missing program always results in the event `error`. Node throws instead
 * for some errors, for example if PATH contains a file. A link loop on PATH also hides the folders after it; here it
 * does not.
 */
export function startProgram<Child>(attempt: Attempt, start: (program: string) => Child): Child {
  try {
    return start(attempt.program);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return start(candidates(attempt).find(isExecutable) ?? NOWHERE);
  }
}

/**
 * Why a program could not be started, without a full stop. The system has the same code for a missing folder, program
 * or interpreter, and an inaccessible folder on PATH makes every missing program "permission denied", so this checks
 * what exists.
 */
export function startFailure(error: unknown, attempt: Attempt): string {
  if (!isNotFound(error)) return errorText(error);
  const { program, cwd = "." } = attempt;
  if (!isThere(cwd, "folder")) return `folder not found: ${cwd}`;
  const found = candidates(attempt);
  const [first] = found;
  if (first === undefined) return `command not found: ${program}`;
  const runnable = found.find(isExecutable);
  if (runnable === undefined) return `not executable: ${first}`;
  return codeOf(error) === "ENOENT" ? `the interpreter of ${runnable} was not found` : `permission denied: ${runnable}`;
}

/** The files of this name, in the order in which they are tried. */
function candidates({ program, cwd = ".", env = process.env }: Attempt): string[] {
  const folders = program.includes("/") ? [""] : (env.PATH ?? "").split(delimiter);
  return folders.map((folder) => under(cwd, under(folder, program))).filter((path) => isThere(path, "file"));
}

/** Does not need the working directory of this process, which may be gone. */
function under(folder: string, path: string): string {
  return isAbsolute(path) ? path : join(folder, path);
}

function isThere(path: string, kind: "file" | "folder"): boolean {
  try {
    const stats = statSync(path);
    return kind === "file" ? stats.isFile() : stats.isDirectory();
  } catch {
    return false;
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
