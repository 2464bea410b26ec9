/** A folder that stays the same one while a file in it is written, whatever becomes of the names on the way to it. */
import { constants, existsSync } from "node:fs";
import { type FileHandle, lstat, mkdir, open, realpath, stat } from "node:fs/promises";
import { join, sep } from "node:path";
import { makeFolder } from "@bough/session/log/index.js";
import { realTarget } from "../path/real-target.js";
import { systemCode, ToolFailure } from "../tool-failure.js";

export interface HeldFolder {
  /** A path of a file in it. */
  at(name: string): string;
  /** Throws a `ToolFailure` where the names lead elsewhere now. Nothing to do where the system holds the folder for us. */
  verify(): Promise<void>;
  close(): Promise<void>;
}

/** Missing folders are made with the usual mode. */
const FOLDER_MODE = 0o777;
/** Linux: opens a name without reading what it names, so that folders without the right to list them can be passed. */
const O_PATH = 0x200000;

/**
 * Opens a folder by its real path, without following any link: between the question and the write, someone may have put
 * a link instead of a folder. On Linux each step is opened from the one before it and the last one is kept open.
 * Elsewhere the path is looked at again after each step that matters, which leaves a moment open. Throws a
 * `ToolFailure` where a link is in the way.
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
  /** The whole path, for the message. */
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

/** The name of a descriptor means nothing to anyone who reads of the failure. */
function named(error: unknown, path: string): Error {
  return Object.assign(error as NodeJS.ErrnoException, { path });
}

function through(folder: FileHandle, name: string): string {
  return `/proc/self/fd/${folder.fd}/${name}`;
}

async function heldByName(path: string): Promise<HeldFolder> {
  // Before folders are made: they must not be made at the far end of a link either.
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
