/** Sessions that exist but cannot be read: how lists show them, and what opening one throws. */
import { statSync } from "node:fs";
import { basename } from "node:path";
import type { AgentName, ForeignSession, SourceProblem } from "./contract.js";
import { headOf } from "./file-head.js";
import { objectIn } from "./foreign-lines.js";
import { InteropError } from "./interop-error.js";
import { recordsAtEnds } from "./record-ends.js";

/** A list entry for a damaged file, about which only the file itself is known. */
export function damagedSession(agent: AgentName, path: string, problem: SourceProblem): ForeignSession {
  const { birthtime, mtime, size } = statSync(path);
  return {
    agent,
    path,
    files: [path],
    id: basename(path).replace(/\.(?:jsonl|json|db|zst)$/g, ""),
    cwd: "",
    title: problemTitle(problem),
    created: birthtime,
    modified: mtime,
    size,
    problem,
  };
}

const HEAD = 1 << 16;
const NEWLINE = 0x0a;

/** Why no record of a JSON Lines file can be read; undefined if one can, or if the file is empty. */
export function linesProblem(path: string): SourceProblem | undefined {
  const bytes = headOf(path, HEAD);
  const newline = bytes?.indexOf(NEWLINE) ?? -1;
  // The usual case: its first line is a record.
  if (newline > 0 && objectIn(bytes?.toString("utf8", 0, newline) ?? "") !== undefined) return undefined;
  const head = bytes?.toString("latin1");
  const ends = head === undefined || head.trim() === "" ? undefined : recordsAtEnds(path);
  if (head === undefined || ends === undefined || !ends.head.isEmpty || !ends.tail.isEmpty) return undefined;
  const isCut = head.length < HEAD && !head.includes("\n");
  return { kind: "damaged", reason: isCut ? "Its first line is cut off." : "It has no readable record." };
}

/** Shown in lists instead of a title. */
export function problemTitle({ kind, reason }: SourceProblem): string {
  return `(${kind === "damaged" ? "damaged" : "too large"}: ${reason.charAt(0).toLowerCase()}${reason.slice(1).replace(/\.$/, "")})`;
}

/** Throws for a session that cannot be read. */
export function checkReadable({ path, problem }: ForeignSession): void {
  if (problem === undefined) return;
  const { kind, reason } = problem;
  if (kind === "too-large") throw tooLarge(path, reason);
  throw damagedSource(path, reason);
}

export function damagedSource(path: string, reason: string, cause?: unknown): InteropError {
  return new InteropError("damaged-source", `${path} is damaged. ${reason}`, {
    data: { path, reason },
    hint: "Restore it from a backup if you have one. The file was not changed.",
    ...(cause === undefined ? {} : { cause }),
  });
}

export function tooLarge(path: string, reason: string): InteropError {
  return new InteropError("too-large", `${path} is too large to read. ${reason}`, {
    data: { path, reason },
    hint: "If you trust the file, unpack it yourself (zstd -d) and pass the unpacked file.",
  });
}
