/** Writes a planned transcript. Never overwrites: a file that is there already stays as it is. */
import { closeSync, constants, fsyncSync, openSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolder } from "../log/index.js";
import type { WritePlan } from "./contract.js";
import { InteropError } from "./interop-error.js";

export function writeTranscript(plan: WritePlan): void {
  const { path } = plan;
  const handle = openNew(path);
  try {
    const bytes = Buffer.from(plan.lines.map((line) => `${line}\n`).join(""));
    for (let sent = 0; sent < bytes.length; ) sent += writeSync(handle, bytes, sent, bytes.length - sent);
    fsyncSync(handle);
  } catch (cause) {
    rmSync(path, { force: true });
    throw cannotWrite(path, cause);
  } finally {
    closeSync(handle);
  }
}

function openNew(path: string): number {
  try {
    makeFolder(dirname(path));
    return openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== "EEXIST") throw cannotWrite(path, cause);
    throw new InteropError("target-exists", `There is a file already at ${path}`, {
      data: { path },
      hint: "Nothing was written. Plan again: a new plan has a name of its own.",
      cause,
    });
  }
}

function cannotWrite(path: string, cause: unknown): InteropError {
  return new InteropError("cannot-write", `Could not write ${path}`, {
    data: { path, systemCode: (cause as { code?: unknown }).code },
    hint: "Check that there is room on the disk and that you may write in the folder.",
    cause,
  });
}
