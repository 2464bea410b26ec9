/** Where the small text files of a project are, and what may be read of them. */
import { existsSync, realpathSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { namesIn, type ReadTextOptions } from "@bough/session/log/index.js";
import { authPath } from "@bough/workbench/secrets/index.js";

/** Something in a project or in the home folder that was not used, or only in part. */
export interface ProjectProblem {
  readonly file: string;
  /** A sentence. */
  readonly message: string;
}

/** Names in a folder, sorted by their bytes so that the order is the same on every machine; none if it is not there. */
export function sortedNames(folder: string): readonly string[] {
  return namesIn(folder).sort();
}

/** The two folders of a kind of file, the project's last, and how their files are read. */
export function homeAndProject(
  place: ProjectPlace,
  name: string,
): readonly { readonly folder: string; readonly reading: ReadTextOptions }[] {
  return [
    { folder: join(place.home, name), reading: ownReading(place.home) },
    { folder: join(place.cwd, ".bough", name), reading: projectReading(place) },
  ];
}

/** What a project's files may lead to: anything but keys once it is trusted, before that only the project itself. */
export interface ProjectPlace {
  readonly cwd: string;
  /** Bough's own folder. */
  readonly home: string;
  readonly trusted: boolean;
}

/** For a file of the project. Files in Bough's own folder are the user's, so their links may lead anywhere. */
export function projectReading({ cwd, home, trusted }: ProjectPlace): ReadTextOptions {
  return { ...ownReading(home), within: trusted ? undefined : projectRoot(cwd) };
}

export function ownReading(home: string): ReadTextOptions {
  return { refuse: [authPath(home)] };
}

/**
 * The repository around a folder, else the folder; without links. In a folder above that anyone can write to, such as
 * `/tmp`, a `.git` of another user makes no repository.
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

/** Whether any user of the machine could have put a file there. */
export function othersCanWrite(folder: string): boolean {
  return process.platform !== "win32" && (statSync(folder).mode & 0o002) !== 0;
}
