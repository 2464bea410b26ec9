/** Opens the files of a session in the folder the session works in. */

import { realpathSync } from "node:fs";
import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { makeFolder } from "@bough/session/log/index.js";
import type { SessionManager } from "@bough/session/session/index.js";
import { attemptIdOf } from "@bough/session/session/internal.js";
import { attempt, grouped } from "@bough/session/text/index.js";
import { type FilesRoot, filesRoot, type NoFilesRoot, rememberRoot } from "./files-root.js";
import { FolderScanner } from "./scan/folder-scanner.js";
import { GitScanner } from "./scan/git-scanner.js";
import { MOST_FILES } from "./scan/scanner.js";
import { MOST_FILE_BYTES, SessionFiles } from "./session-files.js";
import type { BlobSource } from "./store/blob-source.js";
import { BlobStore } from "./store/blob-store.js";
import { SavedScanner } from "./work/saved-scanner.js";
import { indexFile, removeWorkFolder } from "./work/work-folder.js";
import { WorkJournal } from "./work/work-journal.js";

export interface OpenFilesOptions {
  readonly session: SessionManager;
  /** Where tools work. */
  readonly cwd: string;
  /** `$BOUGH_HOME`. */
  readonly home: string;
  readonly largest?: number;
  /** Where contents that are missing on this machine come from. */
  readonly contents?: BlobSource | undefined;
  /** Globs of ignored files to record anyway. */
  readonly include?: readonly string[];
  /** `none`: other sessions in the folder are told nothing, and a killed process leaves nothing to continue. */
  readonly notes?: "shared" | "none" | undefined;
  /** Called now and then with how many of how many files the first look has seen. */
  readonly onProgress?: (done: number, total: number) => void;
}

export interface FilesOff {
  readonly off: NoFilesRoot["off"] | "other-folder";
  /** A sentence for the person. */
  readonly message: string;
}

const WHY_OFF: Readonly<Record<FilesOff["off"], string>> = {
  home: "Files are not recorded in your home folder. Start Bough in a project folder instead.",
  system: "Files are not recorded in the root folder of the system. Start Bough in a project folder instead.",
  repository: "Files are not recorded inside a git folder. Start Bough in the project folder instead.",
  many: `Files are not recorded, because this folder holds more than ${grouped(MOST_FILES)} files.`,
  gone: "Files are not recorded, because the working folder no longer exists.",
  worktree: "Files are not recorded, because git names another folder as the working tree (core.worktree).",
  "other-folder": "Files are not recorded, because this session belongs to another folder.",
};

export async function openSessionFiles(options: OpenFilesOptions): Promise<SessionFiles | FilesOff> {
  const { session, cwd, home, include = [], largest = MOST_FILE_BYTES } = options;
  const found = await filesRoot(cwd, home);
  if ("off" in found) return { off: found.off, message: WHY_OFF[found.off] };
  if (!(await belongsHere(session, found, options))) {
    return { off: "other-folder", message: WHY_OFF["other-folder"] };
  }
  rememberRoot(found);
  const { root, isGit } = found;
  const store = new BlobStore(found.store, options);
  const look = {
    root,
    store,
    largest,
    include,
    isLeftOut: ownFiles(root, options),
    onProgress: options.onProgress,
  };
  const file = session.getSessionFile();
  const about = { root, session: session.getSessionId(), file };
  const journal = new WorkJournal({ store: found.store, about });
  // In a folder of the session's own: git may read one index while another is copied.
  const scannerIn = (folder: string) =>
    isGit ? new GitScanner({ ...look, index: indexFile(folder) }) : new FolderScanner(look);
  if (options.notes === "none") {
    makeFolder(journal.folder);
    const files = new SessionFiles({ session, root, store, home, largest, scanner: scannerIn(journal.folder) });
    FOLDERS.set(files, journal.folder);
    return files;
  }
  const scanner = new SavedScanner(scannerIn(journal.folder), journal.folder);
  const attemptFolder = attemptIdOf(root, attempt(() => realpathSync(home)) ?? home) === undefined ? undefined : root;
  const files = new SessionFiles({ session, root, store, home, largest, scanner, journal, scannerIn, attemptFolder });
  JOURNALS.set(files, journal);
  return files;
}

const JOURNALS = new WeakMap<SessionFiles, WorkJournal>();
/** The folders of those without a journal. */
const FOLDERS = new WeakMap<SessionFiles, string>();

/** Removes what is on disk only while these files are recorded. Call it when nothing is being recorded. */
export function closeSessionFiles(files: SessionFiles): void {
  const journal = JOURNALS.get(files);
  const folder = FOLDERS.get(files);
  if (journal === undefined && folder === undefined) return;
  JOURNALS.delete(files);
  FOLDERS.delete(files);
  const end = () => {
    journal?.end();
    if (folder !== undefined) removeWorkFolder(folder);
  };
  // A first look may still be running, for an unknown time.
  if (files.hasBegun) void files.begin().then(end, end);
  else end();
}

/**
 * What Bough itself writes below the root: its home and session files. They hold the conversation and are never
 * restored.
 */
function ownFiles(root: string, { session, home }: OpenFilesOptions): (path: string) => boolean {
  const inside = (folder: string) => {
    const below = relative(root, realFolder(folder)).split(sep).join("/");
    return below.startsWith("..") || isAbsolute(below) ? undefined : below;
  };
  const ownHome = inside(home);
  const sessions = inside(session.getSessionDir());
  return (path) => {
    if (ownHome !== undefined && ownHome !== "" && path.startsWith(`${ownHome}/`)) return true;
    return sessions !== undefined && SESSION_FILE.test(path) && dirname(path) === (sessions === "" ? "." : sessions);
  };
}

/** Including files next to one: drafts, locks, copies. */
const SESSION_FILE = /\.jsonl(\.[^/]+)?$/;

function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return resolve(folder);
  }
}

/**
 * Whether its paths mean the same files: the session was made here, in a copy of the same repository, or in a folder
 * that no longer exists.
 */
async function belongsHere(session: SessionManager, { store }: FilesRoot, options: OpenFilesOptions): Promise<boolean> {
  const { cwd, home } = options;
  if (session.getCwd() === cwd) return true;
  const made = await filesRoot(session.getCwd(), home);
  return "off" in made ? made.off === "gone" : made.store === store;
}
