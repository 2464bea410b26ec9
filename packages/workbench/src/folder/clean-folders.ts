/**
 * What killed processes left of attempts: their programs are ended, what they changed and did not record yet is recorded
 * on their branches, and their folders are removed.
 */
import { existsSync } from "node:fs";
import { type EntryId, Kind } from "@bough/session/entry/index.js";
import {
  groupsWith,
  isAlive,
  isCheckable,
  isGroupAlive,
  isLeftBehind,
  namesIn,
  OWNER_MARK,
} from "@bough/session/log/index.js";
import { SessionManager } from "@bough/session/session/index.js";
import { attempt, errorText } from "@bough/session/text/index.js";
import { closeSessionFiles, openSessionFiles } from "../checkpoint/index.js";
import { type AttemptFolder, folderPlace, listFolders, writeFolderRecord } from "./folder-record.js";
import { removeFolder, removeTree } from "./remove-folder.js";

export interface CleanedFolder {
  readonly name: string;
  readonly path: string;
  /** `kept`: see `problem`. `busy`: its process still runs. */
  readonly outcome: "removed" | "kept" | "busy";
  readonly problem?: string;
}

/** Where an attempt's branch ends: the newest entry below its first one. */
export function attemptTip(session: SessionManager, entry: EntryId): EntryId | undefined {
  const { tree } = session.getSource();
  const from = tree.ids.findText(entry);
  if (from < 0) return undefined;
  const below = new Set([from]);
  let tip = from;
  // Parents come before their children.
  for (let n = from + 1; n < tree.count; n++) {
    if (!below.has(tree.parentOf(n))) continue;
    below.add(n);
    // A position record is never a parent.
    if (isParent(session, n)) tip = n;
  }
  return tree.ids.textOf(tip);
}

function isParent(session: SessionManager, n: number): boolean {
  const { tree, entryAt } = session.getSource();
  const { type } = entryAt(n);
  return type !== "label" && type !== "session_info" && tree.kindOf(n) !== Kind.position;
}

/** Records what calls of killed processes changed in the folder, on the attempt's branch. Throws if that fails. */
export async function settleFolder(folder: AttemptFolder, home: string): Promise<void> {
  const { session: place, path, workingFolder } = folder;
  if (place !== undefined && existsSync(place.file) && existsSync(path)) {
    const opened = SessionManager.open(place.file);
    // What is recorded here is not the position of whoever opens the session next.
    const session = opened.openAgain({ position: "ignored" });
    try {
      const tip = attemptTip(session, place.entry as EntryId);
      if (tip !== undefined) {
        session.branch(tip);
        const files = await openSessionFiles({ session, cwd: workingFolder, home });
        if (!("off" in files)) {
          try {
            await files.takeUp();
          } finally {
            closeSessionFiles(files);
          }
        }
      }
    } finally {
      session.close();
      opened.close();
    }
  }
  writeFolderRecord({ ...folder, state: "stored" }, home);
}

/** Ends what still runs there, and everything in its environment that carries its mark. */
export function endGroups({ id, groups }: Pick<AttemptFolder, "id" | "groups">): void {
  const all = [...groups.filter(isGroupAlive), ...groupsWith("BOUGH_ATTEMPT_ID", id)];
  for (const { pid } of all) attempt(() => process.kill(-pid, "SIGKILL"));
}

/**
 * Cleans up after processes that are gone. `mine`: also folders of this process. Folders of running processes, and of
 * processes that cannot be seen from here, are left alone.
 */
export async function cleanFolders(
  home: string,
  { isMine = () => false }: { readonly isMine?: (folder: AttemptFolder) => boolean } = {},
): Promise<readonly CleanedFolder[]> {
  const cleaned: CleanedFolder[] = [];
  const { folders, damaged } = listFolders(home);
  for (const folder of folders) {
    const { name, path, owner } = folder;
    const isBusy = !isMine(folder) && (!isCheckable(owner) || isAlive(owner));
    if (isBusy) {
      cleaned.push({ name, path, outcome: "busy" });
      continue;
    }
    cleaned.push(await cleanOne(folder, home));
  }
  for (const id of damaged) {
    const path = folderPlace(id, home);
    if (isBeingMade(path)) continue;
    if (namesIn(path).includes("record.json")) {
      // A newer version may have written it, so that the folder may be in use.
      cleaned.push({ name: id, path, outcome: "kept", problem: "Its record cannot be read" });
      continue;
    }
    // The record is written first, so nothing that belongs to a branch can be in it.
    const isGone = removeTree(path);
    cleaned.push({ name: id, path, outcome: isGone ? "removed" : "kept" });
  }
  return cleaned;
}

/** Its record is being written. */
function isBeingMade(path: string): boolean {
  return namesIn(path).some((name) => {
    const mark = new RegExp(OWNER_MARK).exec(name)?.[0];
    return mark !== undefined && !isLeftBehind(mark);
  });
}

async function cleanOne(folder: AttemptFolder, home: string): Promise<CleanedFolder> {
  const { name, path } = folder;
  try {
    endGroups(folder);
    if (folder.state === "ready") await settleFolder(folder, home);
    if (removeFolder(folder, home)) return { name, path, outcome: "removed" };
    return { name, path, outcome: "kept", problem: "Some of its files could not be removed" };
  } catch (error) {
    return { name, path, outcome: "kept", problem: errorText(error) };
  }
}
