/** Reads folders of sessions. An unreadable folder is not an empty one. */
import { accessSync, constants } from "node:fs";
import { join } from "node:path";
import { SessionError } from "../entry/index.js";
import { readNames } from "../log/index.js";

/** The sorted names in a folder; empty if it does not exist. Throws `read-failed` if it cannot be listed or entered. */
export function sessionNames(folder: string): readonly string[] {
  try {
    return namesOf(folder);
  } catch (error) {
    throw unreadable(folder, error);
  }
}

/** Called with a `read-failed` error for a folder or file that cannot be read. */
export type OnUnreadable = (error: SessionError, path: string) => void;

/**
 * The readable project folders below a root, with the names in each. Throws `read-failed` if the root cannot be read.
 * An unreadable project folder is passed to `onUnreadable`; without it, that throws too.
 */
export function* projectFolders(
  root: string,
  onUnreadable: OnUnreadable = raise,
): Generator<{ readonly folder: string; readonly name: string; readonly names: readonly string[] }> {
  for (const name of sessionNames(root)) {
    const folder = join(root, name);
    const names = namesOrReport(folder, onUnreadable);
    if (names !== undefined) yield { folder, name, names };
  }
}

function namesOrReport(folder: string, onUnreadable: OnUnreadable): readonly string[] | undefined {
  try {
    return namesOf(folder);
  } catch (error) {
    // A file next to the project folders is not one of ours.
    if ((error as NodeJS.ErrnoException).code !== "ENOTDIR") onUnreadable(unreadable(folder, error), folder);
    return undefined;
  }
}

function namesOf(folder: string): readonly string[] {
  const names = readNames(folder).sort();
  // Names may be readable although the files cannot be accessed.
  if (names.length > 0) accessSync(folder, constants.X_OK);
  return names;
}

function unreadable(folder: string, cause: unknown): SessionError {
  const { code } = cause as NodeJS.ErrnoException;
  const why = code === "ELOOP" ? " (a link that leads to itself)" : code === "ENOTDIR" ? " (not a folder)" : "";
  return new SessionError("read-failed", `Cannot read the sessions folder: ${folder}${why}`, {
    data: { path: folder },
    hint: `${why === "" ? "Check its owner" : "Check what it is"}: ls -ld ${folder}`,
    cause,
  });
}

function raise(error: SessionError): never {
  throw error;
}
