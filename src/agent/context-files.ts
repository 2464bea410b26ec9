import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { type ProjectProblem, readTextFile } from "./project-files.js";

/** Instructions for the model that a project or a person keeps in a file. */
export interface ContextFile {
  readonly path: string;
  readonly text: string;
}

export interface ContextFilesPlace {
  readonly cwd: string;
  /** Bough's own folder. */
  readonly home: string;
  /** Where the walk up ends; the person's home folder by default. */
  readonly userHome?: string;
}

/** In one folder, in this order. */
const NAMES = ["AGENTS.md", "CLAUDE.md"];

/** More than this of one file is not sent: it would go with every request. */
export const CONTEXT_FILE_LIMIT = 100_000;

/**
 * `AGENTS.md` of Bough's own folder, then `AGENTS.md` and `CLAUDE.md` of every folder from the outermost parent to the
 * working directory, so that the nearest has the last word. The walk goes up to the home folder, or to the root for a
 * project outside of it. A file that is there twice, as a link or with the same text, is taken once.
 */
export function readContextFiles(place: ContextFilesPlace): {
  readonly files: readonly ContextFile[];
  readonly problems: readonly ProjectProblem[];
} {
  const files: ContextFile[] = [];
  const problems: ProjectProblem[] = [];
  const seen = new Set<string>();
  for (const path of candidates(place)) {
    const read = readTextFile(path);
    if (read.kind === "unreadable") problems.push({ file: path, message: `Could not read it: ${read.reason}` });
    if (read.kind !== "text") continue;
    const text = read.text.trim();
    const real = realpathSync(path);
    if (text === "" || seen.has(real) || seen.has(text)) continue;
    seen.add(real).add(text);
    if (text.length > CONTEXT_FILE_LIMIT) {
      problems.push({ file: path, message: `Only its first ${CONTEXT_FILE_LIMIT} characters are sent to the model` });
    }
    files.push({ path, text: text.slice(0, CONTEXT_FILE_LIMIT) });
  }
  return { files, problems };
}

function candidates({ cwd, home, userHome = homedir() }: ContextFilesPlace): string[] {
  const folders: string[] = [];
  const end = resolve(userHome);
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    folders.unshift(folder);
    if (folder === end || folder === dirname(folder)) break;
  }
  return [join(home, "AGENTS.md"), ...folders.flatMap((folder) => NAMES.map((name) => join(folder, name)))];
}
