/**
 * `$store/work/<id>.<owner>`: what a running session in a root keeps on disk, so that other sessions, and the next
 * start after a kill, know what ran when. Private, and removed when it is no longer needed.
 *
 *     about.json     the root and the session
 *     journal.jsonl  running commands, and changes about to be made
 *     known.jsonl    the files at the last scan
 *     index          git's index at that scan
 */
import { randomUUID } from "node:crypto";
import { readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { isLeftBehind, itemsIn, OWNER_MARK, ownerMark, readTextFile, writeWhole } from "@bough/session/log/index.js";
import { attempt, isRecord, parsedJson } from "@bough/session/text/index.js";
import { callsIn, type JournalContent } from "./calls-in.js";
import { type JournalLine, journalLines, type SeenLines } from "./journal-line.js";

export interface WorkAbout {
  readonly root: string;
  /** The ID of the session. */
  readonly session: string;
  /** The session file; a session in memory has none. */
  readonly file?: string;
  /** Prefix of the marks in the environment of its commands. */
  readonly mark?: string;
}

export interface WorkFolder extends JournalContent {
  readonly path: string;
  /** The ID of the process that created it. */
  readonly pid: number;
  readonly about: WorkAbout;
  /** That process is running, as far as can be seen from here, and has not closed the session. */
  readonly isAtWork: boolean;
  /** The last sign of life, in milliseconds. */
  readonly seenAt: number;
}

/** How often a running session gives a sign of life. */
export const SIGN_MS = 1000;

/** A journal never exceeds this. */
export const MOST_JOURNAL_BYTES = 4 * 1024 * 1024;

export function callMark(mark: string, id: string): string {
  return `${mark}:${id}`;
}

export function workFolders(store: string): string {
  return join(store, "work");
}

export function newWorkFolder(store: string): string {
  return join(workFolders(store), `${randomUUID().slice(0, 8)}.${ownerMark()}`);
}

export const journalFile = (folder: string) => join(folder, "journal.jsonl");
export const knownFile = (folder: string) => join(folder, "known.jsonl");
export const indexFile = (folder: string) => join(folder, "index");

export function writeAbout(folder: string, about: WorkAbout): void {
  writeWhole(join(folder, "about.json"), `${JSON.stringify(about)}\n`, { existing: "replace", durable: false });
}

/** `.left` marks a folder that was left behind and whose new owner is taking it over. */
const NAME = new RegExp(`^[0-9a-f]{8}\\.(${OWNER_MARK})(\\.left)?$`);

/** The work folders of a root, or of all roots. Skips incomplete ones. */
export function readWorkFolders(store: string, root?: string): readonly WorkFolder[] {
  return itemsIn(workFolders(store)).flatMap(({ name }) => {
    const [, mark, left] = NAME.exec(name) ?? [];
    const path = join(workFolders(store), name);
    const about = mark === undefined ? undefined : aboutOf(path);
    if (mark === undefined || about === undefined || (root !== undefined && about.root !== root)) return [];
    const isOwned = !isLeftBehind(mark);
    if (isOwned && left !== undefined) return [];
    const found = readJournal(path);
    return [{ path, pid: Number.parseInt(mark, 10), about, ...found, isAtWork: !found.isEnded && isOwned }];
  });
}

/** How many lines each folder's journal has. */
export function journalCounts(store: string): SeenLines {
  const names = itemsIn(workFolders(store)).map(({ name }) => name);
  return Object.fromEntries(names.map((name) => [name, linesIn(join(workFolders(store), name)).length]));
}

function readJournal(path: string): JournalContent & { readonly seenAt: number } {
  const seenAt = attempt(() => statSync(journalFile(path)).mtimeMs) ?? 0;
  return { ...callsIn(linesIn(path)), seenAt };
}

function linesIn(path: string): readonly JournalLine[] {
  return journalLines(attempt(() => readFileSync(journalFile(path), "utf8")) ?? "");
}

function aboutOf(folder: string): WorkAbout | undefined {
  const read = readTextFile(join(folder, "about.json"));
  const value = read.kind === "text" ? parsedJson(read.text) : undefined;
  if (!isRecord(value) || typeof value.root !== "string" || typeof value.session !== "string") return undefined;
  const { root, session, file, mark } = value;
  return {
    root,
    session,
    ...(typeof file === "string" ? { file } : {}),
    ...(typeof mark === "string" ? { mark } : {}),
  };
}

/** Whether there are calls whose changes no record has. */
export function isUnrecorded({ calls }: JournalContent): boolean {
  return calls.some(({ isRecorded }) => !isRecorded);
}

/** Takes over a folder that was left behind. Undefined if another process did so first. */
export function claimWorkFolder({ path }: WorkFolder): string | undefined {
  const own = join(path, "..", `${randomUUID().slice(0, 8)}.${ownerMark()}.left`);
  return attempt(() => {
    renameSync(path, own);
    return own;
  });
}

export function removeWorkFolder(path: string): void {
  rmSync(path, { recursive: true, force: true });
}

/** How long to wait for a session that left something behind to be opened again. */
const FORGET_MS = 30 * 24 * 60 * 60_000;

/**
 * Removes folders that are no longer needed: those of sessions that ended before every running one began to scan, and
 * those of killed processes whose session is gone or was not opened for a month.
 */
export function sweepWorkFolders(store: string, now: number): void {
  const folders = readWorkFolders(store);
  const atWork = folders.filter(({ isAtWork }) => isAtWork);
  const known = new Set(folders.map(({ path }) => path));
  for (const { name } of itemsIn(workFolders(store))) {
    const mark = NAME.exec(name)?.[1];
    const path = join(workFolders(store), name);
    // The folder has no about.json yet, or will never get one.
    if (mark !== undefined && !known.has(path) && isLeftBehind(mark)) removeWorkFolder(path);
  }
  for (const folder of folders) {
    if (folder.isAtWork) continue;
    const { about, path, seenAt } = folder;
    if (isUnrecorded(folder)) {
      const isThere = about.file !== undefined && statSync(about.file, { throwIfNoEntry: false }) !== undefined;
      if (isThere && now - seenAt < FORGET_MS) continue;
    }
    const isNeeded = atWork.some((one) => one.about.root === about.root && bornAt(one.path) <= seenAt);
    if (!isNeeded) removeWorkFolder(path);
  }
}

function bornAt(folder: string): number {
  return attempt(() => statSync(join(folder, "about.json")).mtimeMs) ?? 0;
}
