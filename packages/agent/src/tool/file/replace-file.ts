/** Replaces a file atomically: readers see the old content or the new one, never a part. */
import { constants } from "node:fs";
import { access, type FileHandle, lstat, open, rename, rm } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { temporaryNameFor } from "@bough/session/log/index.js";
import { systemCode, ToolFailure } from "../tool-failure.js";
import { type HeldFolder, holdFolder, swapped } from "./hold-folder.js";

interface ReplaceFileOptions {
  /** A real path. A link that appears in it later is not followed. */
  readonly path: string;
  readonly data: Buffer;
  /** State of the file when the change was planned; nothing else may be overwritten. */
  readonly before: FileStamp;
  /** ID of the call, which makes the name of the temporary file unique. */
  readonly token: string;
  readonly signal: AbortSignal;
}

/** Identifies one state of a file: its inode, size and times. `none`: there is no file. */
export type FileStamp = string;

/**
 * Writes and syncs a temporary file in the same folder, then renames it. Creates missing folders. Keeps mode and owner
 * of an existing file; the temporary file is never more accessible than the file it replaces. If stopped or failed, the
 * old file is unchanged and no temporary file is left.
 */
export async function replaceFile({ path, data, before, token, signal }: ReplaceFileOptions): Promise<void> {
  const folder = await holdFolder(dirname(path));
  try {
    const existing = await existingFile(folder, path);
    if ((existing?.stamp ?? "none") !== before) {
      throw new ToolFailure(`${path} was changed by another program. Nothing was written. Read it and try again`);
    }
    const { file, temporary } = await openTemporary({
      folder,
      path,
      token,
      mode: existing === undefined ? 0o666 : 0o600,
    });
    try {
      try {
        await folder.verify();
        await file.writeFile(data);
        if (existing !== undefined) await keepOwner(file, existing);
        await file.sync();
      } finally {
        await file.close();
      }
      signal.throwIfAborted();
      await folder.verify();
      await rename(temporary, folder.at(basename(path)));
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  } finally {
    await folder.close();
  }
}

/** State of the file at a path, for a later `replaceFile`. Throws a `ToolFailure` if the file cannot be replaced. */
export async function fileStamp(path: string): Promise<FileStamp> {
  return (await replaceable(path, path))?.stamp ?? "none";
}

interface Existing {
  readonly stamp: FileStamp;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

async function existingFile(folder: HeldFolder, path: string): Promise<Existing | undefined> {
  return replaceable(folder.at(basename(path)), path);
}

/** A rename would bypass the write protection of the file itself, so check it here. */
async function replaceable(at: string, path: string): Promise<Existing | undefined> {
  try {
    const info = await lstat(at, { bigint: true });
    if (info.isSymbolicLink()) throw swapped(path);
    if (info.isDirectory()) throw new ToolFailure(`${path} is a folder`);
    if (!info.isFile()) throw new ToolFailure(`${path} is a pipe, a device or a socket, not a file`);
    await access(at, constants.W_OK);
    const { dev, ino, size, mtimeNs, ctimeNs } = info;
    const stamp = [dev, ino, size, mtimeNs, ctimeNs].join(":");
    return { stamp, mode: Number(info.mode), uid: Number(info.uid), gid: Number(info.gid) };
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw systemCode(error) === undefined ? error : Object.assign(error as Error, { path });
  }
}

async function keepOwner(file: FileHandle, { mode, uid, gid }: Existing): Promise<void> {
  const now = await file.stat();
  if (now.uid !== uid || now.gid !== gid) {
    try {
      await file.chown(uid, gid);
    } catch (error) {
      // Only root may change the owner of a file; the content matters more.
      if (systemCode(error) !== "EPERM") throw error;
    }
  }
  await file.chmod(mode & 0o7777);
}

interface Temporary {
  readonly folder: HeldFolder;
  readonly path: string;
  readonly token: string;
  readonly mode: number;
}

async function openTemporary({
  folder,
  path,
  token,
  mode,
}: Temporary): Promise<{ readonly file: FileHandle; readonly temporary: string }> {
  for (let attempt = 0; ; attempt++) {
    const temporary = folder.at(temporaryNameFor(path, { pid: process.pid, token }, attempt));
    try {
      return { file: await open(temporary, "wx", mode), temporary };
    } catch (error) {
      // The name is taken by a killed process, or by a call with the same ID: never write into it.
      if (systemCode(error) !== "EEXIST" || attempt === 20) {
        // Report the real path: the temporary name would mean nothing to the reader.
        throw Object.assign(error as NodeJS.ErrnoException, { path });
      }
    }
  }
}
