/** Writes a whole file so that everyone sees the old content or the new one, never a part. */
import { constants } from "node:fs";
import { access, chmod, chown, type FileHandle, open, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { makeFolder } from "../../log/index.js";
import { systemCode, ToolFailure } from "../tool-failure.js";

export interface ReplaceFileOptions {
  /** A real path: a link would be replaced by a file. */
  readonly path: string;
  readonly data: Buffer;
  /** Makes the name of the temporary file unique: the id of the call. */
  readonly token: string;
  readonly signal: AbortSignal;
}

/**
 * A temporary file in the same folder, synced, then renamed. Missing folders are made; mode and owner of an existing
 * file stay. Stopped or failed, it leaves the old file as it was and nothing beside it.
 */
export async function replaceFile({ path, data, token, signal }: ReplaceFileOptions): Promise<void> {
  const folder = dirname(path);
  makeFolder(folder, 0o777);
  const existing = await existingFile(path);
  const { file, temporary } = await openTemporary(path, token);
  try {
    try {
      await file.writeFile(data);
      if (existing !== undefined) await keepOwner(temporary, existing);
      await file.sync();
    } finally {
      await file.close();
    }
    signal.throwIfAborted();
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

interface Owner {
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
}

/** Renaming would get past a file's own write protection, so it is asked here. */
async function existingFile(path: string): Promise<Owner | undefined> {
  try {
    const info = await stat(path);
    if (info.isDirectory()) throw new ToolFailure(`${path} is a folder`);
    if (!info.isFile()) throw new ToolFailure(`${path} is a pipe, a device or a socket, not a file`);
    await access(path, constants.W_OK);
    return info;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}

async function keepOwner(temporary: string, { mode, uid, gid }: Owner): Promise<void> {
  const now = await stat(temporary);
  if (now.uid !== uid || now.gid !== gid) {
    try {
      await chown(temporary, uid, gid);
    } catch (error) {
      // Only the system's owner may give files away; the content is what counts.
      if (systemCode(error) !== "EPERM") throw error;
    }
  }
  await chmod(temporary, mode & 0o7777);
}

async function openTemporary(
  path: string,
  token: string,
): Promise<{ readonly file: FileHandle; readonly temporary: string }> {
  const unique = `${process.pid}-${token.replace(/[^A-Za-z0-9_-]/g, "").slice(-40)}`;
  // Names have at most 255 bytes, and a character up to four of them.
  const prefix = join(dirname(path), `.${basename(path).slice(0, 40)}`);
  for (let attempt = 0; ; attempt++) {
    const temporary = `${prefix}.${unique}-${attempt}.tmp`;
    try {
      return { file: await open(temporary, "wx", 0o666), temporary };
    } catch (error) {
      // Left behind by a killed process, or a call with the same id: never written into.
      if (systemCode(error) !== "EEXIST" || attempt === 20) {
        // The name of the temporary file means nothing to whoever reads of the failure.
        throw Object.assign(error as NodeJS.ErrnoException, { path });
      }
    }
  }
}
