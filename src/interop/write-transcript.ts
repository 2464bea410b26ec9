/** Writes a planned transcript. Never overwrites: a file that is there already stays as it is. */
import { closeSync, constants, fsyncSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolder } from "../log/index.js";
import type { WritePlan } from "./contract.js";
import { InteropError } from "./interop-error.js";

export function writeTranscript(plan: WritePlan): void {
  const { path, beside = [] } = plan;
  for (const file of beside) writeIfMissing(file.path, file.text);
  const handle = openNew(path);
  try {
    // The lines are read from the session while they are written: what goes wrong there is no fault of this file.
    for (const batch of batchesOf(plan.lines)) orCannotWrite(path, () => writeAll(handle, batch));
    orCannotWrite(path, () => fsyncSync(handle));
  } catch (cause) {
    rmSync(path, { force: true });
    throw cause;
  } finally {
    closeSync(handle);
  }
}

const BATCH = 1 << 20;

/** Lines in pieces: no string ever holds the whole file. */
function* batchesOf(lines: Iterable<string>): Generator<string> {
  let batch: string[] = [];
  let size = 0;
  for (const line of lines) {
    batch.push(line, "\n");
    size += line.length + 1;
    if (size < BATCH) continue;
    yield batch.join("");
    batch = [];
    size = 0;
  }
  if (size > 0) yield batch.join("");
}

function writeAll(handle: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let sent = 0; sent < bytes.length; ) sent += writeSync(handle, bytes, sent, bytes.length - sent);
}

function orCannotWrite(path: string, write: () => void): void {
  try {
    write();
  } catch (cause) {
    throw cannotWrite(path, cause);
  }
}

function writeIfMissing(path: string, text: string): void {
  try {
    makeFolder(dirname(path));
    writeFileSync(path, text, { flag: "wx", mode: 0o600 });
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== "EEXIST") throw cannotWrite(path, cause);
  }
}

function openNew(path: string): number {
  try {
    makeFolder(dirname(path));
    return openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== "EEXIST") throw cannotWrite(path, cause);
    throw new InteropError("target-exists", `File already exists: ${path}`, {
      data: { path },
      hint: "Nothing was written. Plan again: a new plan gets a new file name.",
      cause,
    });
  }
}

function cannotWrite(path: string, cause: unknown): InteropError {
  return new InteropError("cannot-write", `Could not write ${path}`, {
    data: { path, systemCode: (cause as { code?: unknown }).code },
    hint: "Check the free disk space and the permissions of the folder.",
    cause,
  });
}
