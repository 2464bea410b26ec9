/** Moving without overwriting, also to another disk. */
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
  /** Something has this name already. */
  | { readonly kind: "taken" }
  /** Someone else moved or removed it first. */
  | { readonly kind: "missing" }
  | { readonly kind: "failed"; readonly reason: string };

/**
 * Gives a file its new name and takes the old one away. A second name is made first, which fails where there is something
 * already; and of several who move the same file the one who takes the old name away has moved it.
 */
export function moveFile(from: string, to: string): MoveOutcome {
  try {
    makeFolder(dirname(to));
  } catch (error) {
    // Even if a file replaces the folder: that is not a name to be tried with a number.
    return { kind: "failed", reason: (error as Error).message };
  }
  try {
    const way = secondName(from, to);
    return takeOldName(from, { to, way });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") return { kind: "taken" };
    if (code === "ENOENT" && !existsSync(from)) return { kind: "missing" };
    return { kind: "failed", reason: message };
  }
}

/** Whether the folder is at its new place now. It stays where it is if there is something, or another disk. */
export function moveFolder(from: string, to: string): boolean {
  if (existsSync(to)) return false;
  try {
    makeFolder(dirname(to));
    renameSync(from, to);
    return true;
  } catch {
    // The caller names what stayed.
    return false;
  }
}

function secondName(from: string, to: string): "link" | "copy" {
  try {
    linkSync(from, to);
    return "link";
  } catch (error) {
    if (!hasNoLinks(error)) throw error;
    copyFileSync(from, to, fsConstants.COPYFILE_EXCL);
    return "copy";
  }
}

function takeOldName(from: string, { to, way }: { readonly to: string; readonly way: "link" | "copy" }): MoveOutcome {
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
