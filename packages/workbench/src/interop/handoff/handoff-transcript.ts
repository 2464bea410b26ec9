/** Writes a planned transcript, without ever overwriting a file. */
import { writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolder, writeWhole } from "@bough/session/log/index.js";
import type { WritePlan } from "../contract.js";
import { InteropError } from "../interop-error.js";

/** Writes a planned transcript to its file, in the format of its agent. `durable`: it also survives a power cut. */
export function writeTranscript(plan: WritePlan, { durable = true }: { readonly durable?: boolean } = {}): void {
  const { path, beside = [] } = plan;
  for (const file of beside) writeIfMissing(file.path, file.text);
  // Only for errors of this file: the lines are read from the session while they are written, which can fail as well.
  const failure = (cause: unknown): Error => (isExisting(cause) ? targetExists(path, cause) : cannotWrite(path, cause));
  writeWhole(path, linesOf(plan), { existing: "refuse", durable, failure });
}

function* linesOf({ lines }: WritePlan): Generator<string> {
  for (const line of lines) yield `${line}\n`;
}

function writeIfMissing(path: string, text: string): void {
  try {
    makeFolder(dirname(path));
    writeFileSync(path, text, { flag: "wx", mode: 0o600 });
  } catch (cause) {
    if (!isExisting(cause)) throw cannotWrite(path, cause);
  }
}

function isExisting(cause: unknown): boolean {
  return (cause as { code?: unknown }).code === "EEXIST";
}

function targetExists(path: string, cause: unknown): InteropError {
  return new InteropError("target-exists", `File already exists: ${path}`, {
    data: { path },
    hint: "Nothing was written. Plan again: a new plan gets a new file name.",
    cause,
  });
}

function cannotWrite(path: string, cause: unknown): InteropError {
  return new InteropError("cannot-write", `Could not write ${path}`, {
    data: { path, systemCode: (cause as { code?: unknown }).code },
    hint: "Check the free disk space and the permissions of the folder.",
    cause,
  });
}
