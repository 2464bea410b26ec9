/** Sessions that are there and cannot be read: what they are called, and what is thrown when one is opened. */
import { statSync } from "node:fs";
import { basename } from "node:path";
import type { AgentName, ForeignSession, SourceProblem } from "./contract.js";
import { InteropError } from "./interop-error.js";

/** A damaged file as a session that can be listed, of which nothing is known but its file. */
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

/** What a list shows in place of a name. */
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
    hint: "If you trust the file, unpack it yourself (zstd -d) and name the unpacked file.",
  });
}
