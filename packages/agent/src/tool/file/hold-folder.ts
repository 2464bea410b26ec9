/** Holds a folder while a file in it is written, even if someone renames or replaces parts of its path. */
import { constants, existsSync } from "node:fs";
import { type FileHandle, lstat, mkdir, open, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { makeFolder } from "@bough/session/log/index.js";
import { realTarget } from "../path/real-target.js";
import { systemCode, ToolFailure } from "../tool-failure.js";

export interface HeldFolder {
  /** Path of a file in the folder. */
  at(name: string): string;
  /** Throws a `ToolFailure` if the path leads elsewhere by now. Does nothing if the folder is held by a descriptor. */
  verify(): Promise<void>;
  close(): Promise<void>;
}

/** Mode of the folders it creates, before the umask. */
const FOLDER_MODE = 0o777;
/** Linux: opens a folder without reading it, so that folders without list permission can be traversed. */
const O_PATH = 0x200000;

/**
 * Opens a folder by its real path without following any link: between the question and the write, a folder may have
 * been replaced by a link. On Linux each folder is opened relative to its parent, and the last one stays open.
 * Elsewhere the path is checked again after each critical step, which leaves a short race. Throws a `ToolFailure` if it
 * meets a link.
 */
export function holdFolder(path: string): Promise<HeldFolder> {
  return process.platform === "linux" && existsSync("/proc/self/fd") ? heldByDescriptor(path) : heldByName(path);
}

async function heldByDescriptor(path: string): Promise<HeldFolder> {
  const flags = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;
  let folder = await open(sep, flags);
  try {
    for (const name of path.split(sep).filter((part) => part !== "")) {
      const next = await openStep({ folder, name, flags, path });
      await folder.close();
      folder = next;
    }
  } catch (error) {
    await folder.close();
    throw error;
  }
  const held = folder;
  return { at: (name) => through(held, name), verify: async () => {}, close: () => held.close() };
}

interface Step {
  readonly folder: FileHandle;
  readonly name: string;
  readonly flags: number;
  /** The full path, for the message. */
  readonly path: string;
}

async function openStep({ folder, name, flags, path }: Step): Promise<FileHandle> {
  const step = through(folder, name);
  for (let attempt = 0; ; attempt++) {
    try {
      return await open(step, flags);
    } catch (error) {
      const code = systemCode(error);
      if (code === "ENOENT" && attempt === 0) await makeStep(step, path);
      else if (code === "ENOTDIR" || code === "ELOOP") throw await obstacle(step, path);
      else throw named(error, path);
    }
  }
}

async function makeStep(step: string, path: string): Promise<void> {
  try {
    await mkdir(step, { mode: FOLDER_MODE });
  } catch (error) {
    if (systemCode(error) !== "EEXIST") throw named(error, path);
  }
}

async function obstacle(step: string, path: string): Promise<Error> {
  const isLink = await lstat(step).then(
    (info) => info.isSymbolicLink(),
    () => false,
  );
  return isLink ? swapped(path) : named(Object.assign(new Error("not a folder"), { code: "ENOTDIR" }), path);
}

/** Reports the real path: the path of a descriptor would mean nothing to the reader. */
function named(error: unknown, path: string): Error {
  return Object.assign(error as NodeJS.ErrnoException, { path });
}

function through(folder: FileHandle, name: string): string {
  return `/proc/self/fd/${folder.fd}/${name}`;
}

async function heldByName(path: string): Promise<HeldFolder> {
  // Checked before creating folders, so that none are created at the target of a link.
  if ((await realTarget(path)) !== path) throw swapped(path);
  makeFolder(path, FOLDER_MODE);
  const { dev, ino } = await stat(path);
  const verify = async (): Promise<void> => {
    const now = await stat(path);
    if ((await realpath(path)) !== path || now.dev !== dev || now.ino !== ino) throw swapped(path);
  };
  await verify();
  return { at: (name) => join(path, name), verify, close: async () => {} };
}

export function swapped(path: string): ToolFailure {
  return new ToolFailure(
    `A symbolic link appeared in the path after permission was given: ${path}\nNothing was written. Check the path before retrying.`,
  );
}
