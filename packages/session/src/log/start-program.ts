/** Starting a program that may not be there. */
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, isAbsolute, join } from "node:path";
import { errorText } from "../text/index.js";

interface Attempt {
  readonly program: string;
  /** That of this process if it is omitted, and so is `env`. */
  readonly cwd?: string | undefined;
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** What the system answers when it does not find a program: which of them depends on the folders on PATH. */
const NOT_FOUND = new Set(["ENOENT", "EACCES", "ENOTDIR", "ELOOP", "ENAMETOOLONG"]);
const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code;
const isNotFound = (error: unknown) => NOT_FOUND.has(codeOf(error) ?? "");

/** No program has this name. A path of a file and more would be another of those errors. */
const NOWHERE = "/no program has this name";

/**
 * Calls `start` with the program, so that one that is not found always comes as the event `error`. Node throws instead for
 * some errors, such as that of a file on PATH. A link to itself there also hides the folders after it; here it does not.
 */
export function startProgram<Child>(attempt: Attempt, start: (program: string) => Child): Child {
  try {
    return start(attempt.program);
  } catch (error) {
    if (!isNotFound(error)) throw error;
    return start(candidates(attempt).find(mayRun) ?? NOWHERE);
  }
}

/**
 * Why a program could not be started, without a full stop. The system has one code for a missing folder, program or
 * interpreter, and a folder on PATH that may not be entered makes every missing program "permission denied": so this
 * looks at what is there.
 */
export function startFailure(error: unknown, attempt: Attempt): string {
  if (!isNotFound(error)) return errorText(error);
  const { program, cwd = "." } = attempt;
  if (!isThere(cwd, "folder")) return `folder not found: ${cwd}`;
  const found = candidates(attempt);
  const [first] = found;
  if (first === undefined) return `command not found: ${program}`;
  const runnable = found.find(mayRun);
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

function mayRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
