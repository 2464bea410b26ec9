import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { isInside, readTextFile } from "@bough/session/log/index.js";
import {
  othersCanWrite,
  ownReading,
  type ProjectPlace,
  type ProjectProblem,
  projectReading,
  projectRoot,
} from "./project-files.js";

/** Instructions for the model that a project or a user keeps in a file. */
export interface ContextFile {
  readonly path: string;
  readonly text: string;
}

interface ContextFilesPlace extends ProjectPlace {
  /** Where the walk up ends; the user's home folder by default. */
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
 *
 * The files are sent to the model without a question, so a link that leaves the project is followed only once the
 * project is trusted, and a file above the project is used only if no one else could have put it there.
 */
export function readContextFiles(place: ContextFilesPlace): {
  readonly files: readonly ContextFile[];
  readonly problems: readonly ProjectProblem[];
} {
  const files: ContextFile[] = [];
  const problems: ProjectProblem[] = [];
  const seen = new Set<string>();
  const root = projectRoot(place.cwd);
  for (const { folder, path, isOwn } of candidates(place)) {
    const isAbove = !isOwn && !isInside(root, folder);
    const reading = isOwn ? ownReading(place.home) : projectReading(place);
    const within = isAbove && !place.trusted ? { within: folder } : {};
    const read = readTextFile(path, { ...reading, ...within });
    if (isAbove && read.kind === "text" && othersCanWrite(folder)) {
      problems.push({ file: path, message: "Not used: other users can write to its folder" });
      continue;
    }
    if (read.kind === "unreadable") problems.push({ file: path, message: `Not used: ${read.reason}` });
    if (read.kind !== "text") continue;
    const text = read.text.trim();
    const { real } = read;
    if (text === "" || seen.has(real) || seen.has(text)) continue;
    seen.add(real).add(text);
    if (text.length > CONTEXT_FILE_LIMIT) {
      problems.push({ file: path, message: `Only its first ${CONTEXT_FILE_LIMIT} characters are sent to the model` });
    }
    files.push({ path, text: text.slice(0, CONTEXT_FILE_LIMIT) });
  }
  return { files, problems };
}

interface Candidate {
  readonly folder: string;
  readonly path: string;
  /** In Bough's own folder. */
  readonly isOwn: boolean;
}

function candidates({ cwd, home, userHome = homedir() }: ContextFilesPlace): Candidate[] {
  const folders: string[] = [];
  const end = resolve(userHome);
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    folders.unshift(folder);
    if (folder === end || folder === dirname(folder)) break;
  }
  const own = { folder: home, path: join(home, "AGENTS.md"), isOwn: true };
  return [
    own,
    ...folders.flatMap((folder) => NAMES.map((name) => ({ folder, path: join(folder, name), isOwn: false }))),
  ];
}
