/** The first bytes and the size of a regular file. */
import type { Stats } from "node:fs";
import { open, stat } from "node:fs/promises";
import { ToolFailure } from "../tool-failure.js";
import { KIND_BYTES } from "./file-kind.js";

/** Refuses pipes, devices and sockets before opening them: opening a pipe blocks until it has a writer. */
export async function readHead(path: string): Promise<{ readonly head: Buffer; readonly size: number }> {
  const info = await refuseSpecial(path);
  if (info.isDirectory()) throw new ToolFailure(`${path} is a folder; use ls to list it`);
  const file = await open(path, "r");
  try {
    const buffer = Buffer.alloc(KIND_BYTES);
    const { bytesRead } = await file.read(buffer, 0, KIND_BYTES, 0);
    return { head: buffer.subarray(0, bytesRead), size: info.size };
  } finally {
    await file.close();
  }
}

/** Stats a file or folder. Throws a `ToolFailure` for anything that could block forever. */
export async function refuseSpecial(path: string): Promise<Stats> {
  const info = await stat(path);
  if (!info.isFile() && !info.isDirectory()) {
    throw new ToolFailure(`${path} is a pipe, a device or a socket, not a file`);
  }
  return info;
}
