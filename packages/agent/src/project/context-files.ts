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

/** A file with instructions for the model, from the project or the user. */
export interface ContextFile {
  readonly path: string;
  readonly text: string;
}

interface ContextFilesPlace extends ProjectPlace {
  /** Last folder of the walk up; the user's home folder by default. */
  readonly userHome?: string;
}

/** Names to read in each folder, in this order. */
const NAMES = ["AGENTS.md", "CLAUDE.md"];

/** Longer files are truncated, because they are sent with every request. */
export const CONTEXT_FILE_LIMIT = 100_000;

/**
 * Reads `AGENTS.md` in Bough's own folder, then `AGENTS.md` and `CLAUDE.md` in every folder from the outermost parent
 * to the working directory, so that the nearest one comes last. The outermost parent is the home folder, or the root
 * for a project outside of it. Duplicates, by link or by equal text, are read once.
 *
 * The files are sent to the model without asking, so links out of the project are followed only if the project is
 * trusted, and files above the project are used only if no other user could have put them there.
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
    const within = isAbove && !place.trusted ? folder : reading.within;
    const read = readTextFile(path, { ...reading, within });
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
  /** Whether it is in Bough's own folder. */
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
