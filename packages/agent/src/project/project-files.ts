/** Locates the small text files of a project, and limits which ones may be read. */
import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { namesIn, type ReadTextOptions } from "@bough/session/log/index.js";
import { authPath } from "@bough/workbench/secrets/index.js";

/** A file in the project or in Bough's own folder that was not or only partly used. */
export interface ProjectProblem {
  readonly file: string;
  /** A sentence. */
  readonly message: string;
}

/** The names in a folder, in the same order on every machine; empty if it does not exist. */
export function sortedNames(folder: string): readonly string[] {
  return namesIn(folder).sort();
}

/** The user's and the project's folder for a kind of file, in this order, with the limits for reading. */
export function homeAndProject(
  place: ProjectPlace,
  name: string,
): readonly { readonly folder: string; readonly reading: ReadTextOptions }[] {
  return [
    { folder: join(place.home, name), reading: ownReading(place.home) },
    { folder: join(place.cwd, ".bough", name), reading: projectReading(place) },
  ];
}

/** A project. Its links may lead to anything but the key file if it is trusted, otherwise only within the project. */
export interface ProjectPlace {
  readonly cwd: string;
  /** Bough's own folder. */
  readonly home: string;
  readonly trusted: boolean;
}

/** The limits for files of the project. */
export function projectReading({ cwd, home, trusted }: ProjectPlace): ReadTextOptions {
  return { ...ownReading(home), within: trusted ? undefined : projectRoot(cwd) };
}

export function ownReading(home: string): ReadTextOptions {
  return { refuse: [authPath(home)] };
}

/**
 * The real path of the repository that contains a folder, or else of the folder. Ignores a `.git` of another user in a
 * parent folder that anyone can write to, such as `/tmp`.
 */
export function projectRoot(cwd: string): string {
  const start = resolve(cwd);
  for (let folder = start; ; folder = dirname(folder)) {
    const git = statSync(join(folder, ".git"), { throwIfNoEntry: false });
    if (git !== undefined && (folder === start || git.uid === process.getuid?.() || !othersCanWrite(folder)))
      return realpathSync(folder);
    if (folder === dirname(folder)) return existsSync(cwd) ? realpathSync(cwd) : start;
  }
}

/** Whether any user of the machine can create files there. */
export function othersCanWrite(folder: string): boolean {
  return process.platform !== "win32" && (statSync(folder).mode & 0o002) !== 0;
}
