/** Moves without overwriting, also across disks. */
import {
  copyFileSync,
  existsSync,
  constants as fsConstants,
  linkSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
} from "node:fs";
import { dirname } from "node:path";
import { hasNoLinks, makeFolder } from "../../log/index.js";

type MoveOutcome =
  | { readonly kind: "moved" }
  /** Something already has this name. */
  | { readonly kind: "taken" }
  /** Another process moved or removed it first. */
  | { readonly kind: "missing" }
  | { readonly kind: "failed"; readonly reason: string };

/**
 * Renames a file. First creates the new name, which fails if it exists; then removes the old one. If several processes
 * move the same file, the one that removes the old name has moved it.
 */
export function moveFile(from: string, to: string): MoveOutcome {
  try {
    makeFolder(dirname(to));
  } catch (error) {
    // EEXIST here means that a file is in the folder's place; adding a number to the name would not help.
    return { kind: "failed", reason: (error as Error).message };
  }
  try {
    const way = linkOrCopy(from, to);
    return removeOldName(from, { to, way });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return { kind: "taken" };
    if (code === "ENOENT" && !existsSync(from)) return { kind: "missing" };
    return { kind: "failed", reason: message };
  }
}

/** Whether the folder was moved. It stays if the target exists or is on another disk. */
export function moveFolder(from: string, to: string): boolean {
  if (existsSync(to)) return false;
  try {
    makeFolder(dirname(to));
    renameSync(from, to);
    return true;
  } catch {
    // The caller reports what stayed.
    return false;
  }
}

function linkOrCopy(from: string, to: string): "link" | "copy" {
  try {
    linkSync(from, to);
    return "link";
  } catch (error) {
    if (!hasNoLinks(error)) throw error;
    copyFileSync(from, to, fsConstants.COPYFILE_EXCL);
    return "copy";
  }
}

function removeOldName(from: string, { to, way }: { readonly to: string; readonly way: "link" | "copy" }): MoveOutcome {
  try {
    const [old, made] = [statSync(from), statSync(to)];
    const same = way === "link" ? old.ino === made.ino : old.size === made.size;
    if (!same) {
      rmSync(to);
      return { kind: "failed", reason: "another program changed the file in the same moment" };
    }
    unlinkSync(from);
    return { kind: "moved" };
  } catch (error) {
    rmSync(to, { force: true });
    throw error;
  }
}
